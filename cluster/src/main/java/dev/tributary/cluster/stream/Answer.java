package dev.tributary.cluster.stream;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.wire.TensorProtos;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.tensorflow.proto.TensorProto;

/**
 * What came of a request, and how it lies on a stream: a value, a dead value or an error.
 *
 * @param value which whoever has the answer closes; empty if it is dead, or there is an error
 */
record Answer(long call, Optional<Tensor> value, Optional<TributaryException> error) {
  private static final byte NUMBERS = 1;
  private static final byte OBJECTS = 2;
  private static final byte DEAD = 3;
  private static final byte ERROR = 4;

  private static final int PREFIX = 1 + Long.BYTES;
  private static final int LONGEST_MESSAGE = 1 << 20;
  private static final int MOST_SIZES = 254;
  private static final int LARGEST_WRITE = 1 << 30;

  static Answer value(long call, Optional<Tensor> value) {
    return new Answer(call, value, Optional.empty());
  }

  static Answer error(long call, TributaryException error) {
    return new Answer(call, Optional.empty(), Optional.of(error));
  }

  void release() {
    value.ifPresent(Tensor::close);
  }

  // ---- out ----

  /** Writes all of it, elements straight from the tensor. */
  void writeTo(GatheringByteChannel channel) throws IOException {
    if (error.isPresent()) {
      write(channel, errorBytes(error.get()));
    } else if (value.isEmpty()) {
      write(channel, ByteBuffer.allocate(PREFIX).put(DEAD).putLong(call).flip());
    } else if (isPlain(value.get().type())) {
      writeNumbers(channel, value.get());
    } else {
      byte[] proto = TensorProtos.toContentProto(value.get()).toByteArray();
      write(
          channel,
          ByteBuffer.allocate(PREFIX + Integer.BYTES + proto.length)
              .put(OBJECTS)
              .putLong(call)
              .putInt(proto.length)
              .put(proto)
              .flip());
    }
  }

  /** Whether any bytes make a value: not so for objects, nor for bools, which are 0 or 1. */
  private static boolean isPlain(DataType type) {
    return !type.isObject() && type != DataType.BOOL;
  }

  private void writeNumbers(GatheringByteChannel channel, Tensor tensor) throws IOException {
    Shape shape = tensor.shape();
    ByteBuffer header =
        ByteBuffer.allocate(PREFIX + 2 * Integer.BYTES + Long.BYTES * shape.rank())
            .put(NUMBERS)
            .putLong(call)
            .putInt(tensor.type().number())
            .putInt(shape.rank());
    for (int i = 0; i < shape.rank(); i++) {
      header.putLong(shape.size(i));
    }
    header.flip();
    long bytes = tensor.byteSize();
    for (long position = 0; position < bytes || header.hasRemaining(); ) {
      int size = (int) Math.min(bytes - position, LARGEST_WRITE);
      ByteBuffer elements = Memory.bytes(tensor.address() + position, size);
      write(channel, header, elements);
      position += size;
    }
  }

  private ByteBuffer errorBytes(TributaryException failure) {
    String text = String.valueOf(failure.getMessage());
    byte[] message =
        text.substring(0, Math.min(text.length(), LONGEST_MESSAGE / 3))
            .getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(PREFIX + 2 * Integer.BYTES + 1 + message.length)
        .put(ERROR)
        .putLong(call)
        .putInt(failure.code().number())
        .put((byte) (failure.derived() ? 1 : 0))
        .putInt(message.length)
        .put(message)
        .flip();
  }

  private static void write(GatheringByteChannel channel, ByteBuffer... parts) throws IOException {
    while (parts[parts.length - 1].hasRemaining() || parts[0].hasRemaining()) {
      channel.write(parts);
    }
  }

  // ---- in ----

  static Answer read(StreamInput in) throws IOException {
    byte kind = in.readByte();
    long call = in.readLong();
    return switch (kind) {
      case NUMBERS -> value(call, Optional.of(readNumbers(in)));
      case OBJECTS -> value(call, Optional.of(readObjects(in)));
      case DEAD -> value(call, Optional.empty());
      case ERROR -> error(call, readError(in));
      default -> throw new IOException("malformed: an answer of kind " + kind);
    };
  }

  private static Tensor readNumbers(StreamInput in) throws IOException {
    DataType type = DataType.ofNumber(in.readInt());
    int rank = in.readInt();
    if (!isPlain(type) || rank < 0 || rank > MOST_SIZES) {
      throw new IOException("malformed: " + type.lowerName() + " elements of rank " + rank);
    }
    long[] sizes = new long[rank];
    for (int i = 0; i < rank; i++) {
      sizes[i] = in.readLong();
    }
    Tensor tensor = Tensor.allocate(type, Shape.of(sizes));
    try {
      in.readTo(tensor.address(), tensor.byteSize());
      return tensor;
    } catch (IOException | RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  private static Tensor readObjects(StreamInput in) throws IOException {
    return TensorProtos.toTensor(
        TensorProto.parseFrom(in.readBytes(in.readInt(), Integer.MAX_VALUE)));
  }

  private static TributaryException readError(StreamInput in) throws IOException {
    int number = in.readInt();
    boolean derived = in.readByte() != 0;
    String message = in.readText(LONGEST_MESSAGE);
    ErrorCode[] codes = ErrorCode.values();
    ErrorCode code = number > 0 && number < codes.length ? codes[number] : ErrorCode.UNKNOWN;
    return derived
        ? TributaryException.derived(code, message, null)
        : new TributaryException(code, message);
  }
}
