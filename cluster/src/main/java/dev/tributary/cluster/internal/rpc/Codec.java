package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.tributary.internal.memory.Allocator;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Encodes a value as the bytes of a message, and decodes it. Immutable.
 *
 * @param encode gives bytes that may stand on the memory of the value's tensors, and are good for
 *     as long as these are held
 * @param decode makes a value that needs the bytes no longer, with tensors of the given allocator;
 *     INVALID_ARGUMENT if they are malformed
 * @param release closes the tensors of a value
 */
record Codec<T>(
    Function<T, ByteString> encode,
    BiFunction<ByteString, Allocator, T> decode,
    Consumer<T> release) {

  /** For messages without any field. */
  static final Codec<Void> EMPTY = new Codec<>(value -> ByteString.EMPTY, bytes -> null);

  /** For messages without tensors. */
  Codec(Function<T, ByteString> encode, Function<ByteString, T> decode) {
    this(encode, (bytes, allocator) -> decode.apply(bytes), value -> {});
  }

  /** By way of a generated message. */
  static <M extends MessageLite, T> Codec<T> of(
      M prototype, Function<T, M> toMessage, Function<M, T> fromMessage) {
    return new Codec<>(
        value -> toMessage.apply(value).toByteString(),
        bytes -> fromMessage.apply(Wire.view(prototype, bytes)));
  }
}
