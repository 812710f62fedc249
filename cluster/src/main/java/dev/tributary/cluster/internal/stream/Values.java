package dev.tributary.cluster.internal.stream;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.util.Optional;
import org.tensorflow.proto.TensorProto;

/** The encoding of values on a stream. */
final class Values {
  static final byte NUMBERS = 1;
  static final byte OBJECTS = 2;
  static final byte DEAD = 3;

  /** Their elements lie in a slot of shared memory. */
  static final byte SHARED_NUMBERS = 4;

  private static final int MOST_SIZES = 254;
  private static final int LONGEST_PATH = 1 << 10;

  private Values() {}

  /**
   * Returns whether any bytes are a valid value: not so for objects, nor for bools, which are 0 or
   * 1.
   */
  static boolean isPlain(DataType type) {
    return !type.isObject() && type != DataType.BOOL;
  }

  /** Empty if it is dead. */
  static Optional<Tensor> read(StreamInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case NUMBERS -> Optional.of(readNumbers(in, Values::readElements));
      case SHARED_NUMBERS -> Optional.of(readNumbers(in, Values::findElements));
      case OBJECTS -> Optional.of(readObjects(in));
      case DEAD -> Optional.empty();
      default -> throw new IOException("malformed: a value of kind " + kind);
    };
  }

  /** Makes a tensor of what comes next. */
  private interface Elements {
    Tensor read(StreamInput in, DataType type, Shape shape) throws IOException;
  }

  private static Tensor readNumbers(StreamInput in, Elements elements) throws IOException {
    DataType type = DataType.ofNumber(in.readInt());
    int rank = in.readInt();
    if (!isPlain(type) || rank < 0 || rank > MOST_SIZES) {
      throw new IOException("malformed: " + type.lowerName() + " elements of rank " + rank);
    }
    long[] sizes = new long[rank];
    for (int i = 0; i < rank; i++) {
      sizes[i] = in.readLong();
    }
    return elements.read(in, type, Shape.of(sizes));
  }

  private static Tensor findElements(StreamInput in, DataType type, Shape shape)
      throws IOException {
    int slot = in.readInt();
    String file = in.readText(LONGEST_PATH);
    if (!file.isEmpty()) {
      in.slots().open(slot, file);
    }
    try {
      return in.slots().tensor(slot, type, shape);
    } catch (TributaryException e) {
      return refused(in, e);
    }
  }

  private static Tensor readElements(StreamInput in, DataType type, Shape shape)
      throws IOException {
    Tensor tensor;
    try {
      tensor = SharedTensors.allocate(in.allocator(), type, shape);
    } catch (TributaryException e) {
      Tensor none = refused(in, e);
      in.skip(shape.elementCount() * type.size());
      return none;
    }
    try {
      in.readTo(tensor.storage().address(), tensor.byteSize());
      return tensor;
    } catch (IOException | RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  /** Returns a stand-in for a value without memory, until its request is refused. */
  private static Tensor refused(StreamInput in, TributaryException reason) {
    if (reason.code() != ErrorCode.RESOURCE_EXHAUSTED) {
      throw reason;
    }
    in.refuse(reason);
    return SharedTensors.allocate(Allocator.shared(), DataType.FLOAT, Shape.of(0));
  }

  private static Tensor readObjects(StreamInput in) throws IOException {
    int bytes = in.readCount(Integer.MAX_VALUE);
    try {
      in.reserve(bytes);
    } catch (TributaryException e) {
      Tensor none = refused(in, e);
      in.skip(bytes);
      return none;
    }
    try {
      TensorProto proto = TensorProto.parseFrom(in.readBytes(bytes, bytes));
      return SharedTensors.take(TensorProtos.toTensor(in.allocator(), proto));
    } catch (TributaryException e) {
      return refused(in, e);
    } finally {
      in.release(bytes);
    }
  }
}
