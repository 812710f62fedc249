package dev.tributary.internal.kernel.nn;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Mirroring;
import dev.tributary.internal.kernel.image.ResizeKernels;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Convolutions of images that are resized or mirrored at their borders before. */
public final class PaddedConvolution {
  private PaddedConvolution() {}

  /** Inputs: image, paddings, filter. */
  public static Kernel padded(KernelNode node) {
    Attributes attributes = node.attributes();
    ElementTypes.requireReal(node.type());
    ConvSpec spec = ConvSpec.of(attributes);
    int distance = Mirroring.distance(attributes.string("mode"));
    return context -> convolve(context, spec, distance, context.input(0), 1);
  }

  /** Inputs: image, size, paddings, filter. */
  public static Kernel resizedAndPadded(KernelNode node) {
    Attributes attributes = node.attributes();
    ElementTypes.requireReal(node.type());
    ConvSpec spec = ConvSpec.of(attributes);
    int distance = Mirroring.distance(attributes.string("mode"));
    boolean alignCorners = attributes.bool("resize_align_corners");
    return context -> {
      try (Tensor floats =
              ResizeKernels.bilinear(context, context.input(0), context.input(1), alignCorners);
          Tensor resized = inType(context, floats, node.type())) {
        convolve(context, spec, distance, resized, 2);
      }
    };
  }

  private static Tensor inType(KernelContext context, Tensor floats, DataType type) {
    if (type == DataType.FLOAT) {
      return floats.retain();
    }
    Tensor cast = context.allocate(type, floats.shape());
    CastLoop.run(
        floats.type(),
        floats.storage().address(),
        type,
        cast.storage().address(),
        floats.elementCount());
    return cast;
  }

  private static void convolve(
      KernelContext context, ConvSpec spec, int distance, Tensor image, int paddings) {
    WindowSpec.requireImage("input", image.shape());
    try (Tensor padded = Mirroring.padded(context, image, context.input(paddings), distance)) {
      ConvKernels.forward(context, spec, padded, context.input(paddings + 1));
    }
  }
}
