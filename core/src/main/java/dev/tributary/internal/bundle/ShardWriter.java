package dev.tributary.internal.bundle;

import com.google.protobuf.CodedOutputStream;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.MaskedCrc;
import dev.tributary.internal.file.UncachedFile;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;

/** Writes the data file of a checkpoint with one shard. Confined to one thread. */
final class ShardWriter implements AutoCloseable {
  /** Small enough that the second look at the bytes finds them in the processor's cache. */
  private static final int CHUNK = 1 << 18;

  private final UncachedFile file;
  private final VariantForm variants;
  private final Runnable between;

  /**
   * @param between run after each chunk
   */
  ShardWriter(Path path, VariantForm variants, Runnable between) {
    this.file = UncachedFile.create(path);
    this.variants = variants;
    this.between = between;
  }

  /** Appends a tensor and returns its position. */
  BundleEntry write(Tensor tensor) {
    long offset = file.size();
    int crc =
        switch (tensor.type()) {
          case STRING -> writeStrings(tensor);
          case VARIANT -> writeVariants(tensor);
          default -> writeElements(tensor);
        };
    return new BundleEntry(
        tensor.type(), tensor.shape(), 0, offset, file.size() - offset, crc, List.of());
  }

  /** Brings all to the disk, so that {@link #commit} only has to give the file its name. */
  void complete() {
    file.complete();
  }

  void commit() {
    file.commit();
  }

  @Override
  public void close() {
    file.close();
  }

  private int writeElements(Tensor tensor) {
    if (tensor.type().isObject()) {
      throw TributaryException.unimplemented(
          "a %s tensor cannot be saved", tensor.type().lowerName());
    }
    CRC32C crc = new CRC32C();
    long end = tensor.storage().address() + tensor.byteSize();
    for (long at = tensor.storage().address(); at < end; at += CHUNK) {
      ByteBuffer chunk = Memory.bytes(at, (int) Math.min(CHUNK, end - at));
      crc.update(chunk.duplicate());
      file.write(chunk);
      between.run();
    }
    return MaskedCrc.of(crc);
  }

  private int writeStrings(Tensor tensor) {
    Object[] strings = tensor.objects();
    CRC32C crc = new CRC32C();
    file.write(ByteBuffer.wrap(lengths(strings, crc)));
    ByteBuffer lengthCrc = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    lengthCrc.putInt(MaskedCrc.of(crc)).flip();
    crc.update(lengthCrc.duplicate());
    file.write(lengthCrc);
    for (Object string : strings) {
      crc.update((byte[]) string);
      file.write(ByteBuffer.wrap((byte[]) string));
    }
    return MaskedCrc.of(crc);
  }

  /** Each message with its length in front and the checksum of all so far behind. */
  private int writeVariants(Tensor tensor) {
    CRC32C crc = new CRC32C();
    for (Object element : tensor.objects()) {
      byte[] message = variants.toBytes(element);
      file.write(ByteBuffer.wrap(varint(message.length)));
      crc.update(fixed(Long.BYTES).putLong(message.length).flip());
      crc.update(message);
      file.write(ByteBuffer.wrap(message));
      ByteBuffer soFar = fixed(Integer.BYTES).putInt(MaskedCrc.of(crc)).flip();
      crc.update(soFar.duplicate());
      file.write(soFar);
      between.run();
    }
    return MaskedCrc.of(crc);
  }

  private static ByteBuffer fixed(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] varint(long value) {
    byte[] bytes = new byte[CodedOutputStream.computeUInt64SizeNoTag(value)];
    try {
      CodedOutputStream.newInstance(bytes).writeUInt64NoTag(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }

  /** The lengths of all strings as they are written; their checksum is that of another form. */
  private static byte[] lengths(Object[] strings, CRC32C crc) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteBuffer fixed = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      for (Object string : strings) {
        int length = ((byte[]) string).length;
        out.writeUInt64NoTag(length);
        crc.update(fixed.clear().putInt(length).flip());
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
