package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.kernel.array.RowSum;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of MaxPoolWithArgmax and its gradient. Places count the elements of one image, or of
 * the batch if attribute {@code include_batch_in_index} says so.
 */
public final class ArgmaxPoolKernels {
  private ArgmaxPoolKernels() {}

  /** Outputs: the largest element of each window, and its place. */
  public static Kernel pool(KernelNode node) {
    ElementTypes.requireOrdered(node.type());
    PoolSpec spec = PoolSpec.of(node.attributes());
    boolean ofBatch = node.attributes().bool("include_batch_in_index");
    return context -> {
      Tensor image = context.input(0);
      WindowSpec.requireImage("input", image.shape());
      if (image.elementCount() == 0) {
        throw TributaryException.invalidArgument(
            "tensor_in must not be empty, got shape %s", image.shape());
      }
      Shape shape = spec.output(image.shape());
      Tensor output = context.allocateOutput(0, shape);
      Tensor places = context.allocateOutput(1, shape);
      Fill.zeros(places);
      if (output.elementCount() == 0) {
        return;
      }
      long elements = ofBatch ? image.elementCount() : image.elementCount() / shape.size(0);
      RowMove move = new RowMove(image, output, 1);
      boolean narrow = places.type() == DataType.INT32;
      long address = places.storage().address();
      WindowMaxima.places(
          image.type(),
          spec.geometry(image.shape()),
          image.storage().address(),
          (from, to) -> {
            move.move(from, to);
            if (narrow) {
              Memory.putInt(address + to * Integer.BYTES, (int) (from % elements));
            } else {
              Memory.putLong(address + to * Long.BYTES, from % elements);
            }
          });
    };
  }

  /** Inputs: image, gradient of the pooled image, places of the largest elements. */
  public static Kernel gradient(KernelNode node) {
    ElementTypes.requireOrdered(node.type());
    PoolSpec spec = PoolSpec.of(node.attributes());
    boolean ofBatch = node.attributes().bool("include_batch_in_index");
    return context -> {
      Tensor image = context.input(0);
      Tensor gradient = context.input(1);
      Tensor places = context.input(2);
      WindowSpec.requireImage("input", image.shape());
      Shape wanted = spec.output(image.shape());
      if (!gradient.shape().equals(wanted) || !places.shape().equals(wanted)) {
        throw TributaryException.invalidArgument(
            "grad and argmax must have the pooled shape %s, got %s and %s",
            wanted, gradient.shape(), places.shape());
      }
      Tensor output = context.allocateOutput(0, image.shape());
      Fill.zeros(output);
      if (gradient.elementCount() == 0) {
        return;
      }
      long results = gradient.elementCount() / wanted.size(0);
      long elements = image.elementCount() / wanted.size(0);
      RowSum sum = new RowSum(output.type(), 1);
      for (long i = 0; i < gradient.elementCount(); i++) {
        long place = IndexTensors.at(places, i) + (ofBatch ? 0 : i / results * elements);
        if (place < 0 || place >= output.elementCount()) {
          throw TributaryException.invalidArgument(
              "argmax%s = %d is outside of images of shape %s",
              IndexTensors.coordinates(wanted, i), IndexTensors.at(places, i), image.shape());
        }
        sum.add(gradient.storage().address(), i, output.storage().address(), place);
      }
    };
  }
}
