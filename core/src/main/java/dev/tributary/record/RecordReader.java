package dev.tributary.record;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.MaskedCrc;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a TFRecord file from its beginning, and checks each record. Damage is a DATA_LOSS that
 * names the file and the place. Confined to one thread.
 */
public final class RecordReader implements AutoCloseable {
  private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
  private static final int LONGEST = Integer.MAX_VALUE - 8 - Integer.BYTES;

  private final Path path;
  private final InputStream in;
  private long offset;
  private int tornBytes;

  private RecordReader(Path path, InputStream in) {
    this.path = path;
    this.in = in;
  }

  public static RecordReader open(Path path) {
    return open(path, Compression.NONE);
  }

  public static RecordReader open(Path path, Compression compression) {
    try {
      return of(path, Files.newInputStream(path), compression);
    } catch (IOException e) {
      throw FileFailure.of("read record file", path, e);
    }
  }

  /**
   * Reads a file that was opened, and closes it.
   *
   * @param path the name of the file in errors
   */
  public static RecordReader of(Path path, InputStream file, Compression compression) {
    try {
      return new RecordReader(path, compression.unpack(file));
    } catch (IOException e) {
      throw FileFailure.of("read record file", path, e);
    }
  }

  /** Returns where the next record begins, in bytes of the unpacked file. */
  public long offset() {
    return offset;
  }

  /**
   * The next record, or nothing at the end of the file. After one whose content is damaged, the
   * call after it gives the record behind it; behind a damaged length nothing can be found.
   */
  public Optional<byte[]> next() {
    Optional<byte[]> record = nextIfWhole();
    if (record.isEmpty() && tornBytes > 0) {
      throw damaged("truncated record, the file ends after " + tornBytes + " bytes of it");
    }
    return record;
  }

  /**
   * The next record, or nothing where the file ends, be it within a record: its writer may not have
   * come further.
   */
  public Optional<byte[]> nextIfWhole() {
    byte[] header = read(HEADER_BYTES);
    if (header.length < HEADER_BYTES) {
      tornBytes = header.length;
      return Optional.empty();
    }
    ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    requireCrc("length", offset, fields.getInt(Long.BYTES), fields.limit(Long.BYTES));
    long length = fields.getLong(0);
    if (length < 0 || length > LONGEST) {
      throw damaged("its length is " + length + ", more than " + LONGEST + " bytes");
    }
    byte[] content = read((int) length + Integer.BYTES);
    if (content.length < length + Integer.BYTES) {
      tornBytes = HEADER_BYTES + content.length;
      return Optional.empty();
    }
    ByteBuffer data = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    long begin = offset;
    offset += HEADER_BYTES + content.length;
    requireCrc("data", begin, data.getInt((int) length), data.limit((int) length));
    return Optional.of(Arrays.copyOf(content, (int) length));
  }

  /** As many bytes as there are, up to {@code count}: memory is taken as they come. */
  private byte[] read(int count) {
    try {
      return in.readNBytes(count);
    } catch (EOFException e) {
      throw damaged("truncated record, the compressed file ends within it");
    } catch (IOException e) {
      throw FileFailure.of("read the record at offset " + offset + " of file", path, e);
    }
  }

  private void requireCrc(String what, long begin, int stored, ByteBuffer bytes) {
    int actual = MaskedCrc.of(bytes);
    if (stored != actual) {
      throw damaged(
          begin,
          String.format(
              "corrupted record, the checksum of its %s is %08x, not %08x", what, actual, stored));
    }
  }

  private TributaryException damaged(String how) {
    return damaged(offset, how);
  }

  private TributaryException damaged(long begin, String how) {
    return new TributaryException(
        ErrorCode.DATA_LOSS, "record file " + path + " at offset " + begin + ": " + how);
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw FileFailure.of("close record file", path, e);
    }
  }
}
