package dev.tributary.internal.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.tensorflow.proto.TensorProto;

/**
 * Tensors as messages have them. Elements come in one of two forms: raw in {@code tensor_content},
 * which wins if it is not empty, or in the list of values for the type, where a short list repeats
 * its last value and an empty one means zeros.
 *
 * <p>Lists and optionals in variant tensors are messages of their own, see {@link VariantProtos}.
 * Other elements of resource and variant tensors stay what they are in the message, the bytes of a
 * {@code ResourceHandleProto} or a {@code VariantTensorDataProto}: only the device that made them
 * knows more.
 */
public final class TensorProtos {
  /** Room for type, shape and tags in a message, which has at most 2^31 - 1 bytes. */
  private static final int ENVELOPE = 1 << 16;

  private TensorProtos() {}

  // ---- encoding ----

  /**
   * Numbers in {@code tensor_content}, strings in {@code string_val}: the form of constants in
   * graphs.
   */
  public static TensorProto toProto(Tensor tensor) {
    if (tensor.type() != DataType.STRING) {
      return toContentProto(tensor);
    }
    long size = 0;
    TensorProto.Builder proto = header(tensor);
    for (byte[] element : serialized(tensor)) {
      size += element.length + ObjectContent.LONGEST_PREFIX;
      messageSize(size);
      proto.addStringVal(ByteString.copyFrom(element));
    }
    return proto.build();
  }

  /**
   * Everything in {@code tensor_content}, strings too: the form of feeds, fetches and tensors
   * between workers.
   */
  public static TensorProto toContentProto(Tensor tensor) {
    ByteString content =
        tensor.type().isObject()
            ? ObjectContent.encode(serialized(tensor))
            : ByteString.copyFrom(
                Memory.bytes(tensor.storage().address(), messageSize(tensor.byteSize())));
    return header(tensor).setTensorContent(content).build();
  }

  /** The bytes of {@link #toProto}'s message. */
  public static byte[] toBytes(Tensor tensor) {
    return toProto(tensor).toByteArray();
  }

  /** The size as an int, if a message can hold that much. */
  static int messageSize(long bytes) {
    if (bytes > Integer.MAX_VALUE - ENVELOPE) {
      throw TributaryException.invalidArgument(
          "a tensor of %d bytes does not fit into one message of at most 2 GiB", bytes);
    }
    return (int) bytes;
  }

  private static TensorProto.Builder header(Tensor tensor) {
    TensorProto.Builder proto =
        TensorProto.newBuilder().setDtype(TypeProtos.toProto(tensor.type()));
    return proto.setTensorShape(ShapeProtos.toProto(tensor.shape()));
  }

  private static byte[][] serialized(Tensor tensor) {
    Object[] elements = tensor.objects();
    byte[][] bytes = new byte[elements.length][];
    for (int i = 0; i < bytes.length; i++) {
      Object element = elements[i];
      boolean isVariant = tensor.type() == DataType.VARIANT;
      if (isVariant && VariantProtos.hasForm(element)) {
        bytes[i] = VariantProtos.toProto(element).toByteArray();
      } else if (element instanceof byte[] content) {
        bytes[i] = content;
      } else {
        throw TributaryException.unimplemented(
            "a %s tensor of this process has no form in messages", tensor.type().lowerName());
      }
    }
    return bytes;
  }

  // ---- decoding ----

  public static Tensor toTensor(TensorProto proto) {
    return toTensor(Allocator.shared(), proto);
  }

  /** A new tensor with the message's elements; the caller closes it. */
  public static Tensor toTensor(Allocator allocator, TensorProto proto) {
    return toTensor(allocator, proto, Variant.MOST_LEVELS);
  }

  /** The same for the bytes of a message. */
  public static Tensor toTensor(Allocator allocator, byte[] message) {
    try {
      return toTensor(allocator, TensorProto.parseFrom(message));
    } catch (InvalidProtocolBufferException e) {
      throw TributaryException.invalidArgument(
          "Could not parse %d bytes as TensorProto: %s", message.length, e.getMessage());
    }
  }

  /** The same with at most this many levels of variants in variants. */
  static Tensor toTensor(Allocator allocator, TensorProto proto, int levels) {
    DataType type = TypeProtos.toType(proto.getDtypeValue());
    if (TypeProtos.isReference(proto.getDtypeValue())) {
      throw TributaryException.invalidArgument(
          "a tensor cannot have the reference type of %s", type.lowerName());
    }
    Shape shape = ShapeProtos.toTensorShape(proto.getTensorShape());
    ByteString content = proto.getTensorContent();
    if (!content.isEmpty()) {
      return type.isObject()
          ? withValues(
              Tensor.ofObjects(type, shape, ObjectContent.decode(content, shape.elementCount())),
              allocator,
              levels)
          : Tensor.ofBytes(allocator, type, shape, content.asReadOnlyByteBufferList());
    }
    Tensor tensor = Tensor.allocate(allocator, type, shape);
    if (type.isObject()) {
      fillObjects(tensor, proto);
      return withValues(tensor, allocator, levels);
    } else {
      fillFromList(tensor, proto);
    }
    return tensor;
  }

  /** The tensor with its strings counted, and values of variants in place of their messages. */
  private static Tensor withValues(Tensor tensor, Allocator allocator, int levels) {
    Object[] elements = tensor.objects();
    try {
      SharedTensors.countStrings(tensor, allocator.budget());
      if (tensor.type() != DataType.VARIANT) {
        return tensor;
      }
      for (int i = 0; i < elements.length; i++) {
        elements[i] = VariantProtos.toValue(allocator, (byte[]) elements[i], levels);
      }
      return tensor;
    } catch (RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  private static void fillFromList(Tensor tensor, TensorProto p) {
    switch (tensor.type()) {
      case FLOAT ->
          fill(tensor, p.getFloatValCount(), (i, to) -> Memory.putFloat(to, p.getFloatVal(i)));
      case DOUBLE ->
          fill(tensor, p.getDoubleValCount(), (i, to) -> Memory.putDouble(to, p.getDoubleVal(i)));
      case COMPLEX64 ->
          fillPairs(
              tensor, p.getScomplexValCount(), (i, to) -> Memory.putFloat(to, p.getScomplexVal(i)));
      case COMPLEX128 ->
          fillPairs(
              tensor,
              p.getDcomplexValCount(),
              (i, to) -> Memory.putDouble(to, p.getDcomplexVal(i)));
      case INT64 ->
          fill(tensor, p.getInt64ValCount(), (i, to) -> Memory.putLong(to, p.getInt64Val(i)));
      case UINT64 ->
          fill(tensor, p.getUint64ValCount(), (i, to) -> Memory.putLong(to, p.getUint64Val(i)));
      case UINT32 ->
          fill(tensor, p.getUint32ValCount(), (i, to) -> Memory.putInt(to, p.getUint32Val(i)));
      case INT32, QINT32 ->
          fill(tensor, p.getIntValCount(), (i, to) -> Memory.putInt(to, p.getIntVal(i)));
      case INT16, UINT16, QINT16, QUINT16 ->
          fill(tensor, p.getIntValCount(), (i, to) -> Memory.putShort(to, (short) p.getIntVal(i)));
      case INT8, UINT8, QINT8, QUINT8 ->
          fill(tensor, p.getIntValCount(), (i, to) -> Memory.putByte(to, (byte) p.getIntVal(i)));
      case HALF, BFLOAT16 ->
          fill(
              tensor, p.getHalfValCount(), (i, to) -> Memory.putShort(to, (short) p.getHalfVal(i)));
      case BOOL ->
          fill(tensor, p.getBoolValCount(), (i, to) -> Memory.putBoolean(to, p.getBoolVal(i)));
      default ->
          throw TributaryException.internal(
              "no list of %s values is known", tensor.type().lowerName());
    }
  }

  /** Fills elements of two parts each; a part that is listed alone is left out. */
  private static void fillPairs(Tensor tensor, int listed, ElementWriter writer) {
    int half = tensor.type().size() / 2;
    fill(
        tensor,
        listed / 2,
        (i, to) -> {
          writer.write(2 * i, to);
          writer.write(2 * i + 1, to + half);
        });
  }

  private static void fill(Tensor tensor, int listed, ElementWriter writer) {
    int width = tensor.type().size();
    long address = tensor.storage().address();
    int count = (int) Math.min(listed, tensor.elementCount());
    for (int i = 0; i < count; i++) {
      writer.write(i, address + (long) i * width);
    }
    if (count == 0) {
      Memory.fill(address, tensor.byteSize(), (byte) 0);
    } else {
      repeat(address + (long) (count - 1) * width, width, address + tensor.byteSize());
    }
  }

  /** Repeats the {@code width} bytes at {@code from} up to {@code end}, in copies that double. */
  private static void repeat(long from, long width, long end) {
    for (long done = width; from + done < end; ) {
      long step = Math.min(done, end - from - done);
      Memory.copy(from, from + done, step);
      done += step;
    }
  }

  private static void fillObjects(Tensor tensor, TensorProto proto) {
    Object[] elements = tensor.objects();
    List<ByteString> listed =
        switch (tensor.type()) {
          case STRING -> proto.getStringValList();
          case RESOURCE ->
              proto.getResourceHandleValList().stream().map(MessageLite::toByteString).toList();
          default -> proto.getVariantValList().stream().map(MessageLite::toByteString).toList();
        };
    byte[] last = new byte[0];
    for (int i = 0; i < elements.length; i++) {
      if (i < listed.size()) {
        last = listed.get(i).toByteArray();
      } else if (i == listed.size() && tensor.type() != DataType.STRING) {
        // Handles do not repeat: what the list leaves out is the default, whose bytes are none.
        last = new byte[0];
      }
      elements[i] = last;
    }
  }

  /** Puts the list's value {@code i} at a native address. */
  private interface ElementWriter {
    void write(int i, long to);
  }
}
