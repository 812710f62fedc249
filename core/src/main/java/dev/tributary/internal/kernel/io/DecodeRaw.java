package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Takes the bytes of strings of one length for the elements of a type. */
public final class DecodeRaw implements Kernel {
  private final DataType type;
  private final boolean isLittleEndian;

  public DecodeRaw(KernelNode node) {
    type = node.attributes().type("out_type");
    isLittleEndian = node.attributes().bool("little_endian");
    if (!type.isSupported()) {
      throw TributaryException.unimplemented("no kernel for type %s", type.lowerName());
    }
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    Object[] strings = input.objects();
    int length = strings.length == 0 ? 0 : ((byte[]) strings[0]).length;
    for (int i = 1; i < strings.length; i++) {
      int other = ((byte[]) strings[i]).length;
      if (other != length) {
        throw TributaryException.invalidArgument(
            "DecodeRaw requires input strings to all be the same size, but element %d has size %d"
                + " != %d",
            i, other, length);
      }
    }
    if (length % type.size() != 0) {
      throw TributaryException.invalidArgument(
          "Input to DecodeRaw has length %d that is not a multiple of %d, the size of %s",
          length, type.size(), type.lowerName());
    }
    Shape shape = input.shape().concatenate(Shape.of(length / type.size()));
    Tensor output = context.allocateOutput(0, shape);
    for (int i = 0; i < strings.length; i++) {
      put((byte[]) strings[i], output.storage().address() + (long) i * length);
    }
  }

  private void put(byte[] bytes, long to) {
    // The parts of a complex number are turned round each.
    int size = type.realType().size();
    if (type == DataType.BOOL) {
      for (int i = 0; i < bytes.length; i++) {
        // Any other byte would break the JVM's own rules for booleans.
        Memory.putBoolean(to + i, bytes[i] != 0);
      }
    } else if (isLittleEndian || size == 1) {
      Memory.copy(bytes, 0, to, bytes.length);
    } else {
      for (int i = 0; i < bytes.length; i++) {
        // The last byte of an element comes first.
        int within = i % size;
        Memory.putByte(to + i - within + size - 1 - within, bytes[i]);
      }
    }
  }
}
