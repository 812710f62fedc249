package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT16;
import static dev.tributary.tensor.DataType.UINT32;
import static dev.tributary.tensor.DataType.UINT64;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.internal.kernel.Window;
import dev.tributary.ops.Ops;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Pooling of volumes. */
final class Pool3dOpRows {
  private static final String NO_SCALAR = "volumes have five dimensions";

  private Pool3dOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("MaxPool3D")
            .types(BFLOAT16)
            .example(() -> valid(OpCall.of(volume())), pixel(7f))
            .draw(d -> new Volumes(d).pool())
            .gradientOf(0),
        row("MaxPool3DGrad")
            .example(
                () -> valid(OpCall.of(volume(), pixel(7f), pixel(3f))),
                Tensor.of(Shape.of(1, 2, 1, 2, 1), 0f, 0f, 3f, 0f))
            .draw(d -> new Volumes(d).maxGradient())
            .gradientOf(2),
        row("MaxPool3DGradGrad")
            .types(BFLOAT16)
            .without(Draw.Size.EMPTY, "stock refuses volumes without elements")
            .example(() -> valid(OpCall.of(volume(), pixel(7f), volume())), pixel(7f))
            .draw(d -> new Volumes(d).maxSecondGradient())
            .gradientOf(2),
        row("AvgPool3D")
            .example(() -> valid(OpCall.of(volume())), pixel(3.5f))
            .draw(d -> new Volumes(d).pool())
            .gradientOf(0),
        row("AvgPool3DGrad")
            .example(
                () -> valid(new OpCall().constant(Tensor.of(1, 2, 1, 2, 1)).input(pixel(8f))),
                Tensor.of(Shape.of(1, 2, 1, 2, 1), 2f, 2f, 2f, 2f))
            .draw(d -> new Volumes(d).averageGradient())
            .gradientOf(1),
        row("ExtractVolumePatches")
            .types(DOUBLE, BFLOAT16, HALF, INT32, INT64, INT16, INT8)
            .types(UINT8, UINT16, UINT32, UINT64)
            .example(
                () ->
                    OpCall.of(volume())
                        .attr("ksizes", new long[] {1, 2, 1, 2, 1})
                        .attr("strides", new long[] {1, 1, 1, 1, 1})
                        .attr("padding", "VALID"),
                Tensor.of(Shape.of(1, 1, 1, 1, 4), 1f, 2f, 7f, 4f))
            .draw(d -> new Volumes(d).patches())
            .gradientOf(0));
  }

  private static OpRow row(String op) {
    return OpRow.of(op).types(FLOAT).without(Draw.Size.SCALAR, NO_SCALAR);
  }

  private static Tensor volume() {
    return Tensor.of(Shape.of(1, 2, 1, 2, 1), 1f, 2f, 7f, 4f);
  }

  private static Tensor pixel(float value) {
    return Tensor.of(Shape.of(1, 1, 1, 1, 1), value);
  }

  private static OpCall valid(OpCall call) {
    return call.attr("ksize", new long[] {1, 2, 1, 2, 1})
        .attr("strides", new long[] {1, 1, 1, 1, 1})
        .attr("padding", "VALID");
  }

  /** The shapes of one pooling. */
  private static final class Volumes {
    private final Draw d;
    private final Shape volume;
    private final long[] sizes;
    private final long[] strides;
    private final String padding;

    Volumes(Draw d) {
      this.d = d;
      long batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 2);
      this.volume =
          Shape.of(batch, d.integer(3, 4), d.integer(3, 4), d.integer(3, 4), d.integer(1, 2));
      this.sizes = new long[] {1, d.integer(1, 3), d.integer(1, 3), d.integer(1, 3), 1};
      this.strides = new long[] {1, d.integer(1, 2), d.integer(1, 2), d.integer(1, 2), 1};
      this.padding = d.oneOf("SAME", "VALID");
    }

    OpCall pool() {
      return attributes(OpCall.of(distinct()));
    }

    OpCall maxGradient() {
      Tensor input = distinct();
      Tensor output = pooled(input);
      return attributes(OpCall.of(input, output, d.tensor(output.shape())));
    }

    OpCall maxSecondGradient() {
      Tensor input = distinct();
      return attributes(OpCall.of(input, pooled(input), d.tensor(volume)));
    }

    OpCall averageGradient() {
      return attributes(
          new OpCall()
              .constant(ArrayDraws.vector(INT32, volume.toArray()))
              .input(d.tensor(output())));
    }

    OpCall patches() {
      return OpCall.of(d.tensor(volume))
          .attr("ksizes", sizes)
          .attr("strides", strides)
          .attr("padding", padding);
    }

    private Tensor distinct() {
      return d.distinct(volume, 0.125);
    }

    /** The pooled volume, which the gradients of max pooling expect to be the true one. */
    private Tensor pooled(Tensor input) {
      try (OpCall call = attributes(OpCall.of(input.retain()));
          CallSession session = new CallSession(Ops.registry());
          StepResult result = session.run(CallGraph.fed(session.tf(), "MaxPool3D", call))) {
        return result.get(0).retain();
      }
    }

    private Shape output() {
      long[] result = volume.toArray();
      for (int i = 1; i < 4; i++) {
        result[i] = Window.of(padding, volume.size(i), sizes[i], strides[i], 1).output();
      }
      return Shape.of(result);
    }

    private OpCall attributes(OpCall call) {
      return call.attr("ksize", sizes).attr("strides", strides).attr("padding", padding);
    }
  }
}
