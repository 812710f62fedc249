package dev.tributary.cluster.internal.stream;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One message on its way out: small parts lie in a buffer, and the elements of large tensors in
 * shared memory. Where there is none they are written from where they are; then the message holds
 * the tensors until it is {@linkplain #end ended}. Confined to one thread at a time.
 */
final class OutgoingMessage {
  /** Up to here copying elements is cheaper than one more part. */
  private static final int COPIED_BYTES = 1 << 12;

  private static final int LARGEST_PART = 1 << 30;

  private final Optional<OutgoingSlots> slots;
  private final List<Tensor> held = new ArrayList<>();
  private final CompletableFuture<Void> written = new CompletableFuture<>();
  private final List<ByteBuffer> parts = new ArrayList<>();
  private ByteBuffer small = ByteBuffer.allocate(256);

  /**
   * @param slots shared memory for large tensors, if there is any
   */
  OutgoingMessage(byte kind, long call, Optional<OutgoingSlots> slots) {
    this.slots = slots;
    put(kind).putLong(call);
  }

  private OutgoingMessage(byte only) {
    this.slots = Optional.empty();
    put(only);
  }

  /** One of a single byte. */
  static OutgoingMessage of(byte only) {
    return new OutgoingMessage(only);
  }

  // ---- in the making ----

  OutgoingMessage put(byte value) {
    room(Byte.BYTES).put(value);
    return this;
  }

  OutgoingMessage putInt(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  OutgoingMessage putLong(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  OutgoingMessage putText(String text) {
    return putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private OutgoingMessage putBytes(byte[] bytes) {
    putInt(bytes.length);
    room(bytes.length).put(bytes);
    return this;
  }

  /** A value or, if there is none, a dead one. */
  OutgoingMessage putValue(Optional<Tensor> value) {
    if (value.isEmpty()) {
      return put(Values.DEAD);
    }
    Tensor tensor = value.get();
    return Values.isPlain(tensor.type()) ? putNumbers(tensor) : putObjects(tensor);
  }

  private OutgoingMessage putObjects(Tensor tensor) {
    return put(Values.OBJECTS).putBytes(TensorProtos.toContentProto(tensor).toByteArray());
  }

  private OutgoingMessage putNumbers(Tensor tensor) {
    long bytes = tensor.byteSize();
    Optional<OutgoingSlots.Place> shared = slots.flatMap(to -> to.put(tensor));
    Shape shape = tensor.shape();
    put(shared.isPresent() ? Values.SHARED_NUMBERS : Values.NUMBERS);
    putInt(tensor.type().number()).putInt(shape.rank());
    for (int i = 0; i < shape.rank(); i++) {
      putLong(shape.size(i));
    }
    if (shared.isPresent()) {
      return putInt(shared.get().slot()).putText(shared.get().file().orElse(""));
    }
    if (bytes <= COPIED_BYTES) {
      room((int) bytes).put(Memory.bytes(tensor.storage().address(), (int) bytes));
      return this;
    }
    held.add(tensor.retain());
    closePart();
    for (long position = 0; position < bytes; position += LARGEST_PART) {
      int size = (int) Math.min(bytes - position, LARGEST_PART);
      parts.add(Memory.bytes(tensor.storage().address() + position, size));
    }
    return this;
  }

  private ByteBuffer room(int bytes) {
    if (small.remaining() < bytes) {
      int size = Math.max(2 * small.capacity(), small.position() + bytes);
      small = ByteBuffer.wrap(Arrays.copyOf(small.array(), size)).position(small.position());
    }
    return small;
  }

  private void closePart() {
    parts.add(small.flip());
    small = ByteBuffer.allocate(64);
  }

  // ---- on its way ----

  /** The parts to be written, in order. */
  List<ByteBuffer> parts() {
    if (small.position() > 0) {
      closePart();
    }
    return parts;
  }

  /** Done when all bytes have gone; fails if that is not to be. */
  CompletableFuture<Void> written() {
    return written;
  }

  void end() {
    release();
    written.complete(null);
  }

  void fail(TributaryException reason) {
    release();
    written.completeExceptionally(reason);
  }

  private void release() {
    held.forEach(Tensor::close);
    held.clear();
  }
}
