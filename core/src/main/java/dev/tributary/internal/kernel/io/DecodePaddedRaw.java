package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** DecodeRaw for strings that are cut or filled up with zeros to one length. */
public final class DecodePaddedRaw implements Kernel {
  private final DecodeRaw raw;

  public DecodePaddedRaw(KernelNode node) {
    this.raw = new DecodeRaw(node);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    IndexTensors.requireScalar(context.input(1), "fixed_length");
    int length = context.input(1).intValue();
    int size = raw.type().size();
    if (length <= 0 || length % size != 0) {
      throw TributaryException.invalidArgument(
          "fixed_length (%d) must be greater than zero and a multiple of the size of out_type (%d)",
          length, size);
    }
    Tensor output = context.allocateOutput(0, input.shape().concatenate(Shape.of(length / size)));
    long to = output.storage().address();
    for (Object string : input.objects()) {
      byte[] bytes = (byte[]) string;
      if (bytes.length >= length) {
        raw.put(bytes, length, to);
      } else {
        // The end of the last element is missing, which is its beginning if it is big-endian.
        int whole = (bytes.length + size - 1) / size * size;
        raw.put(Arrays.copyOf(bytes, whole), whole, to);
        Memory.fill(to + whole, length - whole, (byte) 0);
      }
      to += length;
    }
  }
}
