package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.math.HalvesInFloat;
import dev.tributary.internal.kernel.nn.GlobalNormKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Batch normalisation as very old graphs have it; no client adds it. */
final class GlobalNormOps {
  private GlobalNormOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        attributes(
                op("BatchNormWithGlobalNormalization")
                    .input("t: T")
                    .input("m: T")
                    .input("v: T")
                    .input("beta: T")
                    .input("gamma: T")
                    .output("result: T"))
            .shape(
                c -> {
                  Shape channels = channels(c, 1, 5);
                  c.output(0, images(c, channels));
                })
            .kernel(HalvesInFloat.of(GlobalNormKernels::forward))
            .grad(
                (tf, op, dy) ->
                    SameAttributes.operation(
                            tf,
                            op,
                            "BatchNormWithGlobalNormalizationGrad",
                            List.of(op.input(0), op.input(1), op.input(2), op.input(4), dy))
                        .outputs()),
        attributes(
                op("BatchNormWithGlobalNormalizationGrad")
                    .input("t: T")
                    .input("m: T")
                    .input("v: T")
                    .input("gamma: T")
                    .input("backprop: T")
                    .output("dx: T")
                    .output("dm: T")
                    .output("dv: T")
                    .output("db: T")
                    .output("dg: T"))
            .shape(
                c -> {
                  Shape channels = channels(c, 1, 4);
                  Shape images = images(c, channels).merge(c.withRank(4, 4));
                  c.output(0, images);
                  for (int i = 1; i < 5; i++) {
                    c.output(i, channels.merge(Shape.of(images.size(3))));
                  }
                })
            .kernel(HalvesInFloat.of(GlobalNormKernels::gradient))
            .notDifferentiable());
  }

  private static Declaration attributes(Declaration declaration) {
    return declaration
        .attr(TypeSpecs.NUMBER)
        .attr("variance_epsilon: float")
        .attr("scale_after_normalization: bool")
        .deprecated(9, "Use tf.nn.batch_normalization()");
  }

  /** The common shape of the vectors in some inputs. */
  private static Shape channels(InferenceContext context, int first, int end) {
    Shape channels = context.withRank(first, 1);
    for (int i = first + 1; i < end; i++) {
      channels = channels.merge(context.withRank(i, 1));
    }
    return channels;
  }

  private static Shape images(InferenceContext context, Shape channels) {
    Shape images = context.withRank(0, 4);
    return images.merge(Shape.ofRank(4).withSize(3, channels.size(0)));
  }
}
