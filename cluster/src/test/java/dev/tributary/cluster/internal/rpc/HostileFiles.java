package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Contents of files that claim to be, or are, far more than their bytes. */
final class HostileFiles {
  private HostileFiles() {}

  /** Images of too many pixels: some only claim them, the last one has what it claims. */
  static List<ByteString> images() {
    return List.of(
        png(Integer.MAX_VALUE, Integer.MAX_VALUE, 1),
        png(1 << 16, 1 << 15, 1),
        png(20_000, 20_000, 1),
        png(8_000, 8_000, 8_000));
  }

  /** Zeros, packed by GZIP. */
  static ByteString packed(int length) {
    try {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream out = new GZIPOutputStream(packed)) {
        zeros(out, length);
      }
      return ByteString.copyFrom(packed.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A grey image of which so many rows are there, all black. */
  private static ByteString png(int width, int height, int rows) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
      ByteArrayOutputStream header = new ByteArrayOutputStream();
      DataOutputStream fields = new DataOutputStream(header);
      fields.writeInt(width);
      fields.writeInt(height);
      fields.write(new byte[] {8, 0, 0, 0, 0}); // Eight bits, grey.
      chunk(out, "IHDR", header.toByteArray());
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream pixels = new DeflaterOutputStream(packed)) {
        zeros(pixels, rows * (Math.min(width, 1L << 16) + 1));
      }
      chunk(out, "IDAT", packed.toByteArray());
      chunk(out, "IEND", new byte[0]);
      return ByteString.copyFrom(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void chunk(DataOutputStream out, String type, byte[] content) throws IOException {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 checksum = new CRC32();
    checksum.update(name);
    checksum.update(content);
    out.writeInt(content.length);
    out.write(name);
    out.write(content);
    out.writeInt((int) checksum.getValue());
  }

  private static void zeros(OutputStream out, long count) throws IOException {
    byte[] block = new byte[1 << 16];
    for (long left = count; left > 0; left -= block.length) {
      out.write(block, 0, (int) Math.min(left, block.length));
    }
  }
}
