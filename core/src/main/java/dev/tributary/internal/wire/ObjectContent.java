package dev.tributary.internal.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The layout of strings, and serialized resource handles and variants, in {@code tensor_content}:
 * the length of every element as a varint, then the bytes of all elements.
 */
final class ObjectContent {
  /** The most bytes that a length takes. */
  static final int LONGEST_PREFIX = 5;

  private ObjectContent() {}

  static ByteString encode(byte[][] elements) {
    long size = 0;
    for (byte[] element : elements) {
      size += CodedOutputStream.computeUInt32SizeNoTag(element.length) + element.length;
    }
    byte[] content = new byte[TensorProtos.messageSize(size)];
    CodedOutputStream out = CodedOutputStream.newInstance(content);
    try {
      for (byte[] element : elements) {
        out.writeUInt32NoTag(element.length);
      }
      for (byte[] element : elements) {
        out.writeRawBytes(element);
      }
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return UnsafeByteOperations.unsafeWrap(content);
  }

  /**
   * Exactly {@code count} elements; every one takes a byte for its length at least, so few bytes
   * never make a large array.
   */
  static Object[] decode(ByteString content, long count) {
    if (count > content.size()) {
      throw malformed(content, count, null);
    }
    try {
      CodedInputStream in = content.newCodedInput();
      int[] lengths = new int[(int) count];
      long total = 0;
      for (int i = 0; i < lengths.length; i++) {
        long length = in.readRawVarint64();
        if (length < 0 || length > content.size()) {
          throw malformed(content, count, null);
        }
        lengths[i] = (int) length;
        total += length;
      }
      if (total != content.size() - in.getTotalBytesRead()) {
        throw malformed(content, count, null);
      }
      Object[] elements = new Object[lengths.length];
      for (int i = 0; i < lengths.length; i++) {
        elements[i] = in.readRawBytes(lengths[i]);
      }
      return elements;
    } catch (IOException e) {
      throw malformed(content, count, e);
    }
  }

  private static TributaryException malformed(ByteString content, long count, IOException cause) {
    return new TributaryException(
        ErrorCode.INVALID_ARGUMENT,
        String.format(
            "the %d bytes of tensor_content are not %d lengths and as many strings",
            content.size(), count),
        cause);
  }
}
