package dev.tributary.internal.kernel.image;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.kernel.random.GuardedPhilox;
import dev.tributary.internal.kernel.random.WordSource;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Cuts a part of a given size out of an image, at a place that TensorFlow would draw. */
public final class RandomCrop {
  private static final int WORDS = 2;

  private RandomCrop() {}

  /** Inputs: an image [height, width, channels], and the height and width of the part. */
  public static void run(KernelContext context, GuardedPhilox state) {
    Tensor image = context.input(0);
    Shape shape = image.shape();
    if (shape.rank() != 3) {
      throw TributaryException.invalidArgument("image must be 3-dimensional, got shape %s", shape);
    }
    long[] size = IndexTensors.vector(context.input(1), "size", 2);
    for (int i = 0; i < 2; i++) {
      requireFitting(size[i], shape.size(i), i == 0 ? "height" : "width");
    }
    Tensor output = context.allocateOutput(0, Shape.of(size[0], size[1], shape.size(2)));
    WordSource words = new WordSource(state.reserveWords(WORDS));
    long left = offset(words, shape.size(1) - size[1]);
    long top = offset(words, shape.size(0) - size[0]);
    long row = shape.size(1) * shape.size(2);
    long length = size[1] * shape.size(2);
    if (output.elementCount() > 0) {
      long from = top * row + left * shape.size(2);
      Moves.rows(size[0], length, image, from, row, output, 0, length);
    }
  }

  private static long offset(WordSource words, long room) {
    return room == 0 ? 0 : Integer.toUnsignedLong(words.next()) % (room + 1);
  }

  private static void requireFitting(long size, long available, String what) {
    if (size < 0) {
      throw TributaryException.invalidArgument("%s must not be negative, got %d", what, size);
    }
    if (size > available) {
      throw new TributaryException(
          ErrorCode.FAILED_PRECONDITION,
          String.format("%s of the part must be at most %d, got %d", what, available, size));
    }
  }
}
