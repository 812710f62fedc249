package dev.tributary.internal.bundle;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The position of a block in a table, without its trailer. */
record BlockHandle(long offset, long size) {
  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeUInt64NoTag(offset);
      out.writeUInt64NoTag(size);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static BlockHandle read(CodedInputStream in) throws IOException {
    return new BlockHandle(in.readRawVarint64(), in.readRawVarint64());
  }
}
