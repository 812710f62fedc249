package dev.tributary.bench.jmh;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Random;

/** Float tensors with values from -1 to 1, the same in every run. */
final class RandomTensors {
  private final Random random = new Random(1);

  Tensor next(long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = 2 * random.nextFloat() - 1;
    }
    return Tensor.of(shape, values);
  }
}
