package dev.tributary.internal.bundle;

import com.google.protobuf.CodedInputStream;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.MaskedCrc;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Reads tensors from one data file of a checkpoint, straight into their memory, and checks them.
 * Damage is a DATA_LOSS that names the file and the tensor. Safe for many threads.
 */
final class ShardReader implements AutoCloseable {
  /** Small enough that the checksum finds the bytes in the cache. */
  private static final int CHUNK = 1 << 20;

  private final Path path;
  private final VariantForm variants;
  private final FileChannel channel;

  ShardReader(FileRoot files, Path path, VariantForm variants) {
    this.path = path;
    this.variants = variants;
    try {
      this.channel = files.open(path);
    } catch (IOException e) {
      throw FileFailure.of("read checkpoint data", path, e);
    }
  }

  /** The tensor that an entry of the index describes, for the caller to close. */
  Tensor read(Allocator allocator, String name, BundleEntry entry) {
    DataType type = entry.type();
    requireWithin(name, entry);
    if (type == DataType.STRING) {
      return Tensor.ofObjects(type, entry.shape(), readStrings(name, entry));
    }
    if (type == DataType.VARIANT) {
      return readVariants(allocator, name, entry);
    }
    requireSize(name, entry);
    Tensor tensor = Tensor.allocate(allocator, type, entry.shape());
    try {
      readElements(name, entry, tensor);
      return tensor;
    } catch (RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw FileFailure.of("close checkpoint data", path, e);
    }
  }

  private void requireSize(String name, BundleEntry entry) {
    int width = Math.max(1, entry.type().size());
    if (entry.size() % width != 0 || entry.size() / width != entry.shape().elementCount()) {
      throw damaged(
          name,
          String.format(
              "%d bytes do not make a %s tensor of shape %s",
              entry.size(), entry.type().lowerName(), entry.shape()));
    }
  }

  private void readElements(String name, BundleEntry entry, Tensor tensor) {
    CRC32C crc = new CRC32C();
    long size = entry.size();
    for (long done = 0; done < size; done += CHUNK) {
      ByteBuffer chunk =
          Memory.bytes(tensor.storage().address() + done, (int) Math.min(CHUNK, size - done));
      fill(name, chunk, entry.offset() + done);
      crc.update(chunk.flip());
    }
    requireCrc(name, entry, crc);
    if (entry.type() == DataType.BOOL) {
      for (long at = tensor.storage().address(); at < tensor.storage().address() + size; at++) {
        // Bytes from outside may be no Java booleans, which would break the JVM's own rules.
        Memory.putBoolean(at, Memory.getBoolean(at));
      }
    }
  }

  private Tensor readVariants(Allocator allocator, String name, BundleEntry entry) {
    byte[] content = content(name, entry);
    Tensor tensor =
        Tensor.ofObjects(
            entry.type(), entry.shape(), new Object[(int) entry.shape().elementCount()]);
    try {
      fillVariants(allocator, name, entry, content, tensor.objects());
      return tensor;
    } catch (IOException e) {
      tensor.close();
      throw damaged(name, e.getMessage());
    } catch (RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  /** Checks all bytes before the first of them is taken for a message. */
  private void fillVariants(
      Allocator allocator, String name, BundleEntry entry, byte[] content, Object[] elements)
      throws IOException {
    CRC32C crc = new CRC32C();
    CodedInputStream in = CodedInputStream.newInstance(content);
    byte[][] messages = new byte[elements.length][];
    for (int i = 0; i < messages.length; i++) {
      long length = in.readRawVarint64();
      if (length < 0 || length > content.length) {
        throw damaged(name, "element " + i + " has " + length + " bytes");
      }
      messages[i] = in.readRawBytes((int) length);
      crc.update(fixed(Long.BYTES).putLong(length).flip());
      crc.update(messages[i]);
      int stored = in.readRawLittleEndian32();
      if (stored != MaskedCrc.of(crc)) {
        throw damaged(name, checksums("element " + i, MaskedCrc.of(crc), stored));
      }
      crc.update(fixed(Integer.BYTES).putInt(stored).flip());
    }
    if (!in.isAtEnd()) {
      throw damaged(name, "there are bytes after its last element");
    }
    requireCrc(name, entry, crc);
    for (int i = 0; i < messages.length; i++) {
      elements[i] = variants.toValue(allocator, messages[i]);
    }
  }

  private static ByteBuffer fixed(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private Object[] readStrings(String name, BundleEntry entry) {
    byte[] content = content(name, entry);
    try {
      return strings(name, entry, content, (int) entry.shape().elementCount());
    } catch (IOException e) {
      throw damaged(name, e.getMessage());
    }
  }

  /** The bytes of elements that each take one at least. */
  private byte[] content(String name, BundleEntry entry) {
    if (entry.size() > Integer.MAX_VALUE - 8) {
      throw TributaryException.unimplemented(
          "tensor '%s' of %s: elements of %d bytes together do not fit into memory",
          name, path, entry.size());
    }
    byte[] content = new byte[(int) entry.size()];
    fill(name, ByteBuffer.wrap(content), entry.offset());
    long count = entry.shape().elementCount();
    if (count > content.length) {
      throw damaged(name, count + " elements cannot be in " + content.length + " bytes");
    }
    return content;
  }

  private Object[] strings(String name, BundleEntry entry, byte[] content, int count)
      throws IOException {
    CRC32C crc = new CRC32C();
    CodedInputStream in = CodedInputStream.newInstance(content);
    ByteBuffer fixed = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int[] lengths = new int[count];
    for (int i = 0; i < count; i++) {
      long length = in.readRawVarint64();
      if (length < 0 || length > content.length) {
        throw damaged(name, "string " + i + " has " + length + " bytes");
      }
      lengths[i] = (int) length;
      crc.update(fixed.clear().putInt(lengths[i]).flip());
    }
    int lengthCrc = in.readRawLittleEndian32();
    if (lengthCrc != MaskedCrc.of(crc)) {
      throw damaged(name, checksums("its lengths", MaskedCrc.of(crc), lengthCrc));
    }
    crc.update(fixed.clear().putInt(lengthCrc).flip());
    Object[] strings = new Object[count];
    for (int i = 0; i < count; i++) {
      byte[] string = in.readRawBytes(lengths[i]);
      crc.update(string);
      strings[i] = string;
    }
    if (!in.isAtEnd()) {
      throw damaged(name, "there are bytes after its last string");
    }
    requireCrc(name, entry, crc);
    return strings;
  }

  private void requireWithin(String name, BundleEntry entry) {
    try {
      long size = channel.size();
      if (entry.offset() > size - entry.size()) {
        throw truncated(name, size);
      }
    } catch (IOException e) {
      throw FileFailure.of("read tensor '" + name + "' from checkpoint data", path, e);
    }
  }

  private void fill(String name, ByteBuffer buffer, long position) {
    try {
      long at = position;
      while (buffer.hasRemaining()) {
        int read = channel.read(buffer, at);
        if (read < 0) {
          throw truncated(name, channel.size());
        }
        at += read;
      }
    } catch (IOException e) {
      throw FileFailure.of("read tensor '" + name + "' from checkpoint data", path, e);
    }
  }

  private void requireCrc(String name, BundleEntry entry, CRC32C crc) {
    if (MaskedCrc.of(crc) != entry.crc()) {
      throw damaged(name, checksums("its elements", MaskedCrc.of(crc), entry.crc()));
    }
  }

  private static String checksums(String of, int actual, int stored) {
    return String.format("the checksum of %s is %08x, not %08x", of, actual, stored);
  }

  private TributaryException truncated(String name, long size) {
    return damaged(name, "the file ends at byte " + size + ", before the tensor does");
  }

  private TributaryException damaged(String name, String how) {
    return new TributaryException(
        ErrorCode.DATA_LOSS, "tensor '" + name + "' in " + path + " is damaged: " + how);
  }
}
