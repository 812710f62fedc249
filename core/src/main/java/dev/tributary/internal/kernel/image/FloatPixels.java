package dev.tributary.internal.kernel.image;

import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Images whose elements are read as float. */
final class FloatPixels {
  private FloatPixels() {}

  /** The elements as float, for the caller to close: the tensor itself, or a copy. */
  static Tensor of(KernelContext context, Tensor image) {
    if (image.type() == DataType.FLOAT) {
      return image.retain();
    }
    Tensor floats = context.allocate(DataType.FLOAT, image.shape());
    CastLoop.run(
        image.type(),
        image.storage().address(),
        DataType.FLOAT,
        floats.storage().address(),
        image.elementCount());
    return floats;
  }
}
