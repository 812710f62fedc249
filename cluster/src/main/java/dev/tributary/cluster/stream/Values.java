package dev.tributary.cluster.stream;

import dev.tributary.graph.wire.TensorProtos;
import dev.tributary.tensor.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.SharedTensors;
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
    return in.slots().tensor(slot, type, shape);
  }

  private static Tensor readElements(StreamInput in, DataType type, Shape shape)
      throws IOException {
    Tensor tensor = SharedTensors.allocate(Allocator.shared(), type, shape);
    try {
      in.readTo(tensor.address(), tensor.byteSize());
      return tensor;
    } catch (IOException | RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  private static Tensor readObjects(StreamInput in) throws IOException {
    TensorProto proto = TensorProto.parseFrom(in.readBytes(in.readInt(), Integer.MAX_VALUE));
    return SharedTensors.take(TensorProtos.toTensor(proto));
  }
}
