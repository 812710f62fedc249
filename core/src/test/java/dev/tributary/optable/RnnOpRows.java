package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Recurrent cells in one op. */
final class RnnOpRows {
  private RnnOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("LSTMBlockCell")
            .example(
                () -> lstm(OpCall.of(matrix(0))).attr("forget_bias", 0f),
                matrix(0.5f),
                matrix(0),
                matrix(0.5f),
                matrix(0.5f),
                matrix(0),
                matrix(0),
                matrix(0))
            .draw(
                d -> {
                  Cells cells = new Cells(d);
                  return cells
                      .lstm(OpCall.of(cells.x()))
                      .attr("forget_bias", d.oneOf(0f, 1f))
                      .attr("cell_clip", d.oneOf(0f, 0.3f, 3f))
                      .attr("use_peephole", d.flip());
                }),
        row("LSTMBlockCellGrad")
            .example(
                () ->
                    gates(lstm(OpCall.of(matrix(1))), false)
                        .input(matrix(4))
                        .input(matrix(0))
                        .attr("use_peephole", false),
                matrix(2),
                Tensor.of(Shape.of(1, 4), 0f, 2f, 2f, 0f),
                Tensor.of(0f),
                Tensor.of(0f),
                Tensor.of(0f))
            .draw(
                d -> {
                  Cells cells = new Cells(d);
                  OpCall call = cells.lstm(OpCall.of(cells.x()));
                  for (int i = 0; i < 8; i++) {
                    call.input(cells.state());
                  }
                  return call.attr("use_peephole", d.flip());
                }),
        row("BlockLSTM")
            .example(
                () -> lstm(OpCall.of(Tensor.scalar(1L), volume(0))).attr("forget_bias", 0f),
                volume(0.5f),
                volume(0),
                volume(0.5f),
                volume(0.5f),
                volume(0),
                volume(0),
                volume(0))
            .draw(
                d ->
                    new Cells(d)
                        .sequence()
                        .attr("forget_bias", d.oneOf(0f, 1f))
                        .attr("cell_clip", d.oneOf(0f, 9f))
                        .attr("use_peephole", d.flip()))
            .gradientOf(1, 2, 3, 4, 5, 6, 7, 8)
            .gradientFrom(1, 6),
        row("BlockLSTMV2")
            .example(
                () -> lstm(OpCall.of(Tensor.scalar(1L), volume(0))),
                volume(0.5f),
                volume(0),
                volume(0.5f),
                volume(0.5f),
                volume(0),
                volume(0),
                volume(0))
            .draw(
                d ->
                    new Cells(d)
                        .sequence()
                        .attr("cell_clip", d.oneOf(0f, 9f))
                        .attr("use_peephole", d.flip()))
            .gradientOf(1, 2, 3, 4, 5, 6, 7, 8)
            .gradientFrom(1, 6),
        sequenceGradient("BlockLSTMGrad"),
        sequenceGradient("BlockLSTMGradV2"),
        row("GRUBlockCell")
            .example(
                () -> gru(OpCall.of(matrix(1), matrix(2))),
                matrix(0.5f),
                matrix(0.5f),
                matrix(0),
                matrix(1))
            .draw(d -> new Cells(d).gru()),
        row("GRUBlockCellGrad")
            .example(
                () ->
                    gru(OpCall.of(matrix(1), matrix(2)))
                        .input(matrix(0.5f))
                        .input(matrix(0.5f))
                        .input(matrix(0))
                        .input(matrix(4)),
                matrix(0),
                matrix(2),
                matrix(2),
                Tensor.of(Shape.of(1, 2), 0f, 2f))
            .draw(
                d -> {
                  Cells cells = new Cells(d);
                  OpCall call = cells.gru();
                  for (int i = 0; i < 4; i++) {
                    call.input(cells.state());
                  }
                  return call;
                }));
  }

  private static OpRow row(String op) {
    return OpRow.of(op)
        .types(FLOAT)
        .tolerance(1e-4)
        .without(Draw.Size.EMPTY, "stock refuses cells and batches without elements")
        .without(Draw.Size.SCALAR, "inputs are matrices");
  }

  private static OpRow sequenceGradient(String op) {
    return row(op)
        .example(
            () -> {
              OpCall call = gates(lstm(OpCall.of(Tensor.scalar(1L), volume(1)), 2, 3), true);
              return call.input(volume(4)).input(volume(0)).attr("use_peephole", false);
            },
            volume(0),
            matrix(2),
            matrix(0),
            Tensor.of(Shape.of(2, 4), 0f, 2f, 2f, 0f, 0f, 6f, 6f, 0f),
            Tensor.of(0f),
            Tensor.of(0f),
            Tensor.of(0f),
            Tensor.of(0f, 2f, 2f, 0f))
        .draw(
            d -> {
              Cells cells = new Cells(d);
              OpCall call = cells.sequence();
              for (int i = 0; i < 9; i++) {
                call.input(cells.states());
              }
              return call.attr("use_peephole", d.flip());
            });
  }

  private static Tensor matrix(float value) {
    return Tensor.of(Shape.of(1, 1), value);
  }

  private static Tensor volume(float value) {
    return Tensor.of(Shape.of(1, 1, 1), value);
  }

  /** Weights of zeros. */
  private static OpCall lstm(OpCall call) {
    return lstm(call, call.inputs().size() > 1 ? 0 : call.inputs().get(0).getFloat(0) * 2, 0);
  }

  private static OpCall lstm(OpCall call, float state, float output) {
    return call.input(matrix(state))
        .input(matrix(output))
        .input(Tensor.zeros(FLOAT, Shape.of(2, 4)))
        .input(Tensor.of(0f))
        .input(Tensor.of(0f))
        .input(Tensor.of(0f))
        .input(Tensor.zeros(FLOAT, Shape.of(4)));
  }

  /** The results of a step whose gates are half open. */
  private static OpCall gates(OpCall call, boolean sequence) {
    float[] values = {0.5f, 0, 0.5f, 0.5f, 0, 0};
    for (float value : values) {
      call.input(sequence ? volume(value) : matrix(value));
    }
    return sequence ? call.input(volume(0)) : call;
  }

  private static OpCall gru(OpCall call) {
    return call.input(Tensor.zeros(FLOAT, Shape.of(2, 2)))
        .input(Tensor.zeros(FLOAT, Shape.of(2, 1)))
        .input(Tensor.zeros(FLOAT, Shape.of(2)))
        .input(Tensor.zeros(FLOAT, Shape.of(1)));
  }

  /** The shapes of one call. */
  private static final class Cells {
    private final Draw d;
    private final long steps;
    private final long batch;
    private final long inputs;
    private final long cell;

    Cells(Draw d) {
      this.d = d;
      this.steps = d.integer(1, 3);
      this.batch = d.integer(1, 3);
      this.inputs = d.integer(1, 3);
      this.cell = d.integer(1, 3);
    }

    Tensor x() {
      return d.tensor(Shape.of(batch, inputs));
    }

    Tensor state() {
      return d.tensor(FLOAT, Shape.of(batch, cell), -1, 1);
    }

    Tensor states() {
      return d.tensor(FLOAT, Shape.of(steps, batch, cell), -1, 1);
    }

    /** Stock leaves what is behind the last step undefined, so that all steps count. */
    OpCall sequence() {
      return lstm(OpCall.of(Tensor.scalar(steps), d.tensor(Shape.of(steps, batch, inputs))));
    }

    OpCall lstm(OpCall call) {
      return call.input(state())
          .input(state())
          .input(d.tensor(FLOAT, Shape.of(inputs + cell, 4 * cell), -1, 1))
          .input(d.tensor(FLOAT, Shape.of(cell), -1, 1))
          .input(d.tensor(FLOAT, Shape.of(cell), -1, 1))
          .input(d.tensor(FLOAT, Shape.of(cell), -1, 1))
          .input(d.tensor(FLOAT, Shape.of(4 * cell), -1, 1));
    }

    OpCall gru() {
      return OpCall.of(
          x(),
          state(),
          d.tensor(FLOAT, Shape.of(inputs + cell, 2 * cell), -1, 1),
          d.tensor(FLOAT, Shape.of(inputs + cell, cell), -1, 1),
          d.tensor(FLOAT, Shape.of(2 * cell), -1, 1),
          d.tensor(FLOAT, Shape.of(cell), -1, 1));
    }
  }
}
