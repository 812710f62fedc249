package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.WireFormat;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Protobuf's wire format, as far as we write and read it by hand. */
final class Wire {
  private static final int LONGEST_VARINT = 10;

  private Wire() {}

  /** A field with bytes or an embedded message, whose bytes are not copied. */
  static ByteString field(int number, ByteString bytes) {
    return concat(varints(tag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED), bytes.size()), bytes);
  }

  static ByteString field(int number, String text) {
    return text.isEmpty() ? ByteString.EMPTY : field(number, ByteString.copyFromUtf8(text));
  }

  /** A field with a number, also if it is 0. */
  static ByteString field(int number, long value) {
    return varints(tag(number, WireFormat.WIRETYPE_VARINT), value);
  }

  static int tag(int number, int wireType) {
    return number << 3 | wireType;
  }

  /** One message after another: the sum, unless a message cannot be that large. */
  static ByteString concat(ByteString left, ByteString right) {
    if ((long) left.size() + right.size() > Integer.MAX_VALUE) {
      throw TributaryException.invalidArgument(
          "%d and %d bytes do not fit into one message of at most 2 GiB",
          left.size(), right.size());
    }
    return left.concat(right);
  }

  /** Reads bytes as they are, without a copy. */
  static CodedInputStream reader(ByteString bytes) {
    CodedInputStream in = bytes.newCodedInput();
    in.enableAliasing(true);
    return in;
  }

  /** The message in these bytes. Its own fields of type bytes are parts of them, not copied. */
  static <M extends MessageLite> M view(M prototype, ByteString bytes) {
    try {
      CodedInputStream in = reader(bytes);
      M message = parser(prototype).parseFrom(in);
      in.checkLastTagWas(0);
      return message;
    } catch (InvalidProtocolBufferException e) {
      throw malformed(prototype, e);
    }
  }

  /** The message in these bytes, which may be gone afterwards. */
  static <M extends MessageLite> M copy(M prototype, ByteString bytes) {
    try {
      return parser(prototype).parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw malformed(prototype, e);
    }
  }

  private static TributaryException malformed(MessageLite prototype, IOException cause) {
    return new TributaryException(
        ErrorCode.INVALID_ARGUMENT,
        "malformed " + prototype.getClass().getSimpleName() + ": " + cause.getMessage(),
        cause);
  }

  @SuppressWarnings("unchecked") // A message's parser makes messages of its class.
  private static <M extends MessageLite> Parser<M> parser(M prototype) {
    return (Parser<M>) prototype.getParserForType();
  }

  private static ByteString varints(int tag, long value) {
    ByteString.Output bytes = ByteString.newOutput(2 * LONGEST_VARINT);
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, 2 * LONGEST_VARINT);
      out.writeUInt32NoTag(tag);
      out.writeUInt64NoTag(value);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteString();
  }
}
