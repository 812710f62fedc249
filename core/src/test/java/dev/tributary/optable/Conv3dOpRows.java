package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;

import dev.tributary.internal.kernel.Window;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Convolutions of volumes. */
final class Conv3dOpRows {
  private static final String NO_SCALAR = "volumes have five dimensions";

  private Conv3dOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("Conv3D")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2, 1, 2, 1), 1f, 2f, 3f, 4f),
                            Tensor.of(Shape.of(2, 1, 1, 1, 1), 1f, 10f))
                        .attr("strides", new long[] {1, 1, 1, 1, 1})
                        .attr("padding", "VALID"),
                Tensor.of(Shape.of(1, 1, 1, 2, 1), 31f, 42f))
            .draw(d -> new Volumes(d).forward())
            .gradientOf(0, 1),
        row("Conv3DBackpropInputV2")
            .example(
                () ->
                    new OpCall()
                        .constant(Tensor.of(1, 2, 1, 2, 1))
                        .input(Tensor.of(Shape.of(2, 1, 1, 1, 1), 1f, 10f))
                        .input(Tensor.of(Shape.of(1, 1, 1, 2, 1), 1f, 2f))
                        .attr("strides", new long[] {1, 1, 1, 1, 1})
                        .attr("padding", "VALID"),
                Tensor.of(Shape.of(1, 2, 1, 2, 1), 1f, 2f, 10f, 20f))
            .draw(d -> new Volumes(d).inputGradient())
            .gradientOf(1, 2),
        row("Conv3DBackpropFilterV2")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 2, 1, 2, 1), 1f, 2f, 3f, 4f))
                        .constant(Tensor.of(2, 1, 1, 1, 1))
                        .input(Tensor.of(Shape.of(1, 1, 1, 2, 1), 1f, 2f))
                        .attr("strides", new long[] {1, 1, 1, 1, 1})
                        .attr("padding", "VALID"),
                Tensor.of(Shape.of(2, 1, 1, 1, 1), 5f, 11f))
            .draw(d -> new Volumes(d).filterGradient())
            .gradientOf(0, 2),
        row("Conv3DBackpropInput")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2, 1, 2, 1), 0f, 0f, 0f, 0f),
                            Tensor.of(Shape.of(2, 1, 1, 1, 1), 1f, 10f),
                            Tensor.of(Shape.of(1, 1, 1, 2, 1), 1f, 2f))
                        .attr("strides", new long[] {1, 1, 1, 1, 1})
                        .attr("padding", "VALID"),
                Tensor.of(Shape.of(1, 2, 1, 2, 1), 1f, 2f, 10f, 20f))
            .draw(d -> new Volumes(d).gradient()),
        row("Conv3DBackpropFilter")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2, 1, 2, 1), 1f, 2f, 3f, 4f),
                            Tensor.of(Shape.of(2, 1, 1, 1, 1), 0f, 0f),
                            Tensor.of(Shape.of(1, 1, 1, 2, 1), 1f, 10f))
                        .attr("strides", new long[] {1, 1, 1, 1, 1})
                        .attr("padding", "VALID"),
                Tensor.of(Shape.of(2, 1, 1, 1, 1), 21f, 43f))
            .draw(d -> new Volumes(d).gradient()));
  }

  private static OpRow row(String op) {
    return OpRow.of(op).types(FLOAT, DOUBLE).tolerance(1e-4).without(Draw.Size.SCALAR, NO_SCALAR);
  }

  /** The shapes of one convolution. */
  private static final class Volumes {
    private final Draw d;
    private final Shape volume;
    private final Shape filter;
    private final long[] strides;
    private final String padding;

    Volumes(Draw d) {
      this.d = d;
      long channels = d.integer(1, 3);
      long batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 2);
      this.volume = Shape.of(batch, d.integer(3, 5), d.integer(3, 5), d.integer(3, 5), channels);
      this.filter =
          Shape.of(d.integer(1, 3), d.integer(1, 3), d.integer(1, 3), channels, d.integer(1, 3));
      this.strides = new long[] {1, d.integer(1, 2), d.integer(1, 2), d.integer(1, 2), 1};
      this.padding = d.oneOf("SAME", "VALID");
    }

    OpCall forward() {
      return attributes(OpCall.of(d.tensor(volume), d.tensor(filter)));
    }

    /** With the tensors themselves in place of their sizes. */
    OpCall gradient() {
      return attributes(OpCall.of(d.tensor(volume), d.tensor(filter), d.tensor(output())));
    }

    OpCall inputGradient() {
      return attributes(
          new OpCall()
              .constant(ArrayDraws.vector(ArrayDraws.indexType(d), volume.toArray()))
              .input(d.tensor(filter))
              .input(d.tensor(output())));
    }

    OpCall filterGradient() {
      return attributes(
          OpCall.of(d.tensor(volume))
              .constant(ArrayDraws.vector(INT32, filter.toArray()))
              .input(d.tensor(output())));
    }

    private Shape output() {
      long[] sizes = volume.toArray();
      for (int i = 0; i < 3; i++) {
        sizes[i + 1] =
            Window.of(padding, volume.size(i + 1), filter.size(i), strides[i + 1], 1).output();
      }
      sizes[4] = filter.size(4);
      return Shape.of(sizes);
    }

    private OpCall attributes(OpCall call) {
      return call.attr("strides", strides).attr("padding", padding);
    }
  }
}
