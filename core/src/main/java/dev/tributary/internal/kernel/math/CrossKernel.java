package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Tensor;

/** Cross products of the vectors in the last dimension, which has size 3. */
public final class CrossKernel implements Kernel {
  @Override
  public void compute(KernelContext context) {
    Tensor a = context.input(0);
    Tensor b = context.input(1);
    if (!a.shape().equals(b.shape()) || a.rank() < 1 || a.shape().size(-1) != 3) {
      throw TributaryException.invalidArgument(
          "Cross products need two inputs of the same shape [..., 3], got %s and %s",
          a.shape(), b.shape());
    }
    Tensor product = context.allocateOutput(0, a.shape());
    for (long first = 0; first < product.elementCount(); first += 3) {
      for (int i = 0; i < 3; i++) {
        long next = first + (i + 1) % 3;
        long last = first + (i + 2) % 3;
        if (a.type().isFloating()) {
          double difference =
              Reals.at(a, next) * Reals.at(b, last) - Reals.at(a, last) * Reals.at(b, next);
          Reals.put(product, first + i, difference);
        } else {
          long difference =
              IndexTensors.at(a, next) * IndexTensors.at(b, last)
                  - IndexTensors.at(a, last) * IndexTensors.at(b, next);
          IndexTensors.put(product, first + i, difference);
        }
      }
    }
  }
}
