package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.internal.wire.ShapeProtos;
import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.util.Optional;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Tensors as the bytes of a TensorProto, written from tensor memory and read into it without a
 * message object between.
 *
 * <p>Numbers lie as C++ writes them: type, then the sizes unless it is a scalar, then all elements
 * in {@code tensor_content}. Any other valid form is read too, by way of a TensorProto.
 */
final class TensorBytes {
  private static final int TYPE = 1;
  private static final int SHAPE = 2;
  private static final int CONTENT = 4;
  private static final int DIM = 2;
  private static final int SIZE = 1;
  private static final int TYPE_TAG = Wire.tag(TYPE, WireFormat.WIRETYPE_VARINT);
  private static final int SHAPE_TAG = Wire.tag(SHAPE, WireFormat.WIRETYPE_LENGTH_DELIMITED);
  private static final int CONTENT_TAG = Wire.tag(CONTENT, WireFormat.WIRETYPE_LENGTH_DELIMITED);

  /** Room for type, shape and tags. */
  private static final int ENVELOPE = 1 << 16;

  /**
   * Elements that a few bytes may stand for, when a short list of values repeats its last one: a
   * request must not take memory out of proportion to its own size.
   */
  private static final long MOST_REPEATED = 1 << 24;

  private TensorBytes() {}

  /** Bytes that stand on the tensor's memory: good for as long as it is held. */
  static ByteString encode(Tensor tensor) {
    if (tensor.type().isObject()) {
      return TensorProtos.toContentProto(tensor).toByteString();
    }
    if (tensor.byteSize() > Integer.MAX_VALUE - ENVELOPE) {
      throw TributaryException.invalidArgument(
          "%s has %d bytes, which do not fit into one message of at most 2 GiB",
          tensor, tensor.byteSize());
    }
    ByteString content =
        UnsafeByteOperations.unsafeWrap(
            Memory.bytes(tensor.storage().address(), (int) tensor.byteSize()));
    return Wire.field(TYPE, tensor.type().number())
        .concat(shape(tensor.shape()))
        .concat(Wire.field(CONTENT, content));
  }

  private static ByteString shape(Shape shape) {
    if (shape.isScalar()) {
      return ByteString.EMPTY;
    }
    ByteString sizes = ByteString.EMPTY;
    for (int i = 0; i < shape.rank(); i++) {
      sizes = sizes.concat(Wire.field(DIM, Wire.field(SIZE, shape.size(i))));
    }
    return Wire.field(SHAPE, sizes);
  }

  /** A new tensor, which the caller closes. Malformed bytes are INVALID_ARGUMENT. */
  static Tensor decode(ByteString bytes, Allocator allocator) {
    try {
      Optional<Tensor> tensor = decodeContent(bytes, allocator);
      return tensor.isPresent() ? tensor.get() : decodeAnyForm(bytes, allocator);
    } catch (IOException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "malformed tensor: " + e.getMessage(), e);
    }
  }

  /** The usual form: type, shape and content of a number type, each once. */
  private static Optional<Tensor> decodeContent(ByteString bytes, Allocator allocator)
      throws IOException {
    CodedInputStream in = Wire.reader(bytes);
    int type = 0;
    ByteString shape = null;
    ByteString content = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == TYPE_TAG) {
        type = in.readEnum();
      } else if (tag == SHAPE_TAG && shape == null) {
        shape = in.readBytes();
      } else if (tag == CONTENT_TAG && content == null) {
        content = in.readBytes();
      } else {
        return Optional.empty();
      }
    }
    boolean usual = type > 0 && type < 100 && content != null && !content.isEmpty();
    if (!usual || DataType.ofNumber(type).isObject()) {
      return Optional.empty();
    }
    return Optional.of(
        SharedTensors.take(
            Tensor.ofBytes(
                allocator,
                DataType.ofNumber(type),
                shape == null ? Shape.scalar() : tensorShape(shape),
                content.asReadOnlyByteBufferList())));
  }

  private static Tensor decodeAnyForm(ByteString bytes, Allocator allocator) {
    TensorProto proto = Wire.view(TensorProto.getDefaultInstance(), bytes);
    Shape shape = ShapeProtos.toShape(proto.getTensorShape());
    if (shape.elementCount() > Math.max(bytes.size(), MOST_REPEATED)) {
      throw TributaryException.invalidArgument(
          "a tensor message of %d bytes cannot stand for shape %s", bytes.size(), shape);
    }
    return SharedTensors.take(TensorProtos.toTensor(allocator, proto));
  }

  private static Shape tensorShape(ByteString bytes) {
    return ShapeProtos.toShape(Wire.view(TensorShapeProto.getDefaultInstance(), bytes));
  }
}
