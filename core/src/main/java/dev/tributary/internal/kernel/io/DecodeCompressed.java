package dev.tributary.internal.kernel.io;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.record.Compression;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Unpacks strings. Few bytes can unpack to very many, so each string is unpacked once to count
 * them, and a call that would fill the heap is refused before anything is kept.
 */
public final class DecodeCompressed implements Kernel {
  private static final int BLOCK = 1 << 14;
  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final Compression compression;
  private final long mostBytes;

  public DecodeCompressed(KernelNode node) {
    // Others need the heap, too.
    this(node, Runtime.getRuntime().maxMemory() / 4);
  }

  DecodeCompressed(KernelNode node, long mostBytes) {
    String name = node.attributes().string("compression_type");
    if (!List.of("", "ZLIB", "GZIP").contains(name)) {
      throw TributaryException.invalidArgument(
          "compression_type must be '', 'ZLIB' or 'GZIP', got '%s'", name);
    }
    this.compression = Compression.named(name);
    this.mostBytes = mostBytes;
  }

  @Override
  public void compute(KernelContext context) {
    Tensor packed = context.input(0);
    if (compression == Compression.NONE) {
      context.setOutput(0, packed.retain());
      return;
    }
    Object[] from = packed.objects();
    int[] sizes = new int[from.length];
    long most = Math.min(mostBytes, context.allocator().budget().limit());
    long total = 0;
    for (int i = 0; i < sizes.length; i++) {
      long size = size(i, (byte[]) from[i], most - total);
      sizes[i] = (int) size;
      total += size;
    }
    Object[] to = context.allocateOutput(0, packed.shape()).objects();
    for (int i = 0; i < sizes.length; i++) {
      to[i] = unpack(i, (byte[]) from[i], sizes[i]);
    }
  }

  private long size(int element, byte[] packed, long limit) {
    long size = 0;
    byte[] block = new byte[BLOCK];
    try (InputStream in = compression.unpack(new ByteArrayInputStream(packed))) {
      for (int read = 0; read >= 0; read = in.read(block)) {
        size += read;
        if (size > Math.min(limit, LONGEST_ARRAY)) {
          throw new TributaryException(
              ErrorCode.RESOURCE_EXHAUSTED,
              String.format(
                  "element %d of 'bytes' has %d bytes, which unpack to more than the %d bytes that"
                      + " are left for one call, by the memory limit or a quarter of the Java heap",
                  element, packed.length, limit));
        }
      }
    } catch (EOFException e) {
      // As in TensorFlow, a string that breaks off gives what was there.
      return size;
    } catch (IOException e) {
      throw damaged(element, e);
    }
    return size;
  }

  private byte[] unpack(int element, byte[] packed, int size) {
    byte[] bytes = new byte[size];
    try (InputStream in = compression.unpack(new ByteArrayInputStream(packed))) {
      int filled = 0;
      while (filled < size) {
        int read = in.read(bytes, filled, size - filled);
        if (read < 0) {
          throw TributaryException.internal("element %d of 'bytes' became shorter", element);
        }
        filled += read;
      }
    } catch (IOException e) {
      throw damaged(element, e);
    }
    return bytes;
  }

  private static TributaryException damaged(int element, IOException cause) {
    return new TributaryException(
        ErrorCode.DATA_LOSS,
        "element " + element + " of 'bytes' cannot be unpacked: " + cause.getMessage(),
        cause);
  }
}
