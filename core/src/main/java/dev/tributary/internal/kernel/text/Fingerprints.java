package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The kernel of Fingerprint: the eight bytes of a hash for each row of a tensor. */
public final class Fingerprints {
  private Fingerprints() {}

  public static void compute(KernelContext context) {
    Tensor data = context.input(0);
    if (data.rank() == 0) {
      throw TributaryException.invalidArgument("data must be at least rank 1, got a scalar");
    }
    IndexTensors.requireScalar(context.input(1), "method");
    String method = new String((byte[]) context.input(1).objects()[0], StandardCharsets.UTF_8);
    if (!method.equals("farmhash64")) {
      throw TributaryException.invalidArgument("Unsupported method: %s", method);
    }
    long rows = data.shape().size(0);
    long to = context.allocateOutput(0, Shape.of(rows, 8)).storage().address();
    int width = ArrayLength.of(data.shape().slice(1, data.rank()).elementCount());
    for (int row = 0; row < rows; row++) {
      long hash = data.type().isObject() ? ofStrings(data, row, width) : ofBytes(data, row, width);
      Memory.putLong(to + 8L * row, hash);
    }
  }

  private static long ofBytes(Tensor data, long row, int width) {
    byte[] bytes = new byte[ArrayLength.of((long) width * data.type().size())];
    Memory.copy(data.storage().address() + row * bytes.length, bytes, 0, bytes.length);
    return FarmHash.fingerprint64(bytes);
  }

  /** The hash of a lone string, or of the hashes of several. */
  private static long ofStrings(Tensor data, int row, int width) {
    Object[] strings = data.objects();
    if (width == 1) {
      return FarmHash.fingerprint64((byte[]) strings[row]);
    }
    ByteBuffer hashes = ByteBuffer.allocate(8 * width).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < width; i++) {
      hashes.putLong(FarmHash.fingerprint64((byte[]) strings[row * width + i]));
    }
    return FarmHash.fingerprint64(hashes.array());
  }
}
