package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Labels for sequences of scores. */
final class CtcOpRows {
  private CtcOpRows() {}

  static List<OpRow> rows() {
    float half = (float) Math.log(2);
    return List.of(
        row("CTCLoss")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 1, 2), 3f, 3f),
                        Tensor.of(Shape.of(1, 2), 0L, 0L),
                        Tensor.of(0),
                        Tensor.of(1)),
                Tensor.of(half),
                Tensor.of(Shape.of(1, 1, 2), -0.5f, 0.5f))
            .tolerance(1e-4)
            .draw(CtcOpRows::loss)
            .gradientOf(0)
            .gradientFrom(0),
        row("CTCGreedyDecoder")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(3, 1, 2), 5f, 0f, 4f, 0f, 0f, 1f), Tensor.of(3))
                        .attr("merge_repeated", true),
                Tensor.of(Shape.of(1, 2), 0L, 0L),
                Tensor.of(0L),
                Tensor.of(1L, 1L),
                Tensor.of(Shape.of(1, 1), -10f))
            .shapeDependsOnValues()
            .draw(
                d -> {
                  Tensor scores = scores(d);
                  int classes = (int) scores.shape().size(2);
                  return OpCall.of(scores, lengths(d, scores.shape(), 0))
                      .attr("merge_repeated", d.flip())
                      .attr("blank_index", d.integer(-classes, classes - 1));
                }),
        row("CTCBeamSearchDecoder")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 2), 3f, 3f), Tensor.of(1))
                        .attr("beam_width", 4)
                        .attr("top_paths", 2),
                Tensor.of(Shape.of(0, 2), new long[0]),
                Tensor.of(Shape.of(1, 2), 0L, 0L),
                Tensor.of(new long[0]),
                Tensor.of(0L),
                Tensor.of(1L, 0L),
                Tensor.of(1L, 1L),
                Tensor.of(Shape.of(1, 2), -half, -half))
            .shapeDependsOnValues()
            // Stock's sums of doubles are only as exact as floats.
            .tolerance(1e-4)
            .draw(
                d -> {
                  Tensor scores = scores(d);
                  return OpCall.of(scores, lengths(d, scores.shape(), 2))
                      .attr("beam_width", d.integer(3, 6))
                      .attr("top_paths", d.integer(1, 3))
                      .attr("merge_repeated", d.flip());
                }));
  }

  private static OpRow row(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE)
        .without(Draw.Size.EMPTY, "stock refuses scores without elements")
        .without(Draw.Size.SCALAR, "scores have three dimensions");
  }

  private static Tensor scores(Draw d) {
    return d.distinct(Shape.of(d.integer(3, 6), d.integer(1, 3), d.integer(3, 4)), 0.03);
  }

  private static Tensor lengths(Draw d, Shape scores, int least) {
    int[] lengths = new int[(int) scores.size(1)];
    for (int b = 0; b < lengths.length; b++) {
      lengths[b] = d.integer(least, (int) scores.size(0));
    }
    return Tensor.of(lengths);
  }

  private static OpCall loss(Draw d) {
    Tensor scores = scores(d);
    Shape shape = scores.shape();
    List<Long> indices = new ArrayList<>();
    List<Integer> values = new ArrayList<>();
    boolean ignore = d.flip();
    for (int b = 0; b < shape.size(1); b++) {
      int count = d.integer(1, ignore ? 4 : 3);
      for (long i = 0; i < count; i++) {
        indices.add((long) b);
        indices.add(i);
        values.add(d.integer(0, (int) shape.size(2) - 2));
      }
    }
    return OpCall.of(
            scores,
            Tensor.of(Shape.of(values.size(), 2), indices.stream().mapToLong(i -> i).toArray()),
            Tensor.of(values.stream().mapToInt(i -> i).toArray()),
            lengths(d, shape, 3))
        .attr("preprocess_collapse_repeated", d.flip())
        .attr("ctc_merge_repeated", d.flip())
        .attr("ignore_longer_outputs_than_inputs", ignore);
  }
}
