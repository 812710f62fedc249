package dev.tributary.internal.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.tensor.HeldTensor;
import dev.tributary.internal.tensor.IteratorState;
import dev.tributary.internal.tensor.OptionalTensors;
import dev.tributary.internal.tensor.RaggedTensors;
import dev.tributary.internal.tensor.TensorList;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.proto.VariantTensorDataProto;

/**
 * Lists and optionals as messages have them: the name of the type, the tensors, and a few bytes.
 *
 * <p>For a list these are varints: the number of elements that are not set, their indices in order,
 * the number of the element type and the limit; then a {@code TensorShapeProto}. The tensors are
 * the elements that are set. For an optional it is one byte, 1 if there is a value. A ragged tensor
 * has none; its tensors are the row splits and the values. For the state of an iterator they name
 * the form of the state.
 *
 * <p>Values of other types, and bytes that are no such message, stay bytes. An element without a
 * value has none.
 */
final class VariantProtos {
  private VariantProtos() {}

  // ---- encoding ----

  /** Returns whether an element of a variant tensor is more than bytes, and has a message. */
  static boolean hasForm(Object element) {
    return element == null
        || element instanceof TensorList
        || element instanceof OptionalTensors
        || element instanceof RaggedTensors
        || element instanceof HeldTensor
        || element instanceof IteratorState;
  }

  static VariantTensorDataProto toProto(Object element) {
    if (element instanceof TensorList list) {
      return toProto(list);
    }
    if (element instanceof OptionalTensors optional) {
      return toProto(optional);
    }
    if (element instanceof RaggedTensors ragged) {
      VariantTensorDataProto.Builder proto =
          VariantTensorDataProto.newBuilder().setTypeName(RaggedTensors.TYPE_NAME);
      ragged.components().forEach(c -> proto.addTensors(TensorProtos.toContentProto(c)));
      return proto.build();
    }
    if (element instanceof HeldTensor held) {
      return VariantTensorDataProto.newBuilder()
          .setTypeName(HeldTensor.TYPE_NAME)
          .addTensors(TensorProtos.toContentProto(held.tensor()))
          .build();
    }
    if (element instanceof IteratorState state) {
      VariantTensorDataProto.Builder proto =
          VariantTensorDataProto.newBuilder()
              .setTypeName(IteratorState.TYPE_NAME)
              .setMetadata(ByteString.copyFromUtf8(IteratorState.FORM));
      state.tensors().forEach(c -> proto.addTensors(TensorProtos.toContentProto(c)));
      return proto.build();
    }
    return VariantTensorDataProto.getDefaultInstance();
  }

  private static VariantTensorDataProto toProto(TensorList list) {
    VariantTensorDataProto.Builder proto =
        VariantTensorDataProto.newBuilder().setTypeName(TensorList.TYPE_NAME);
    List<Integer> unset = new ArrayList<>();
    long size = 0;
    for (int i = 0; i < list.size(); i++) {
      if (list.isSet(i)) {
        size += list.get(i).byteSize();
        TensorProtos.messageSize(size);
        proto.addTensors(TensorProtos.toContentProto(list.get(i)));
      } else {
        unset.add(i);
      }
    }
    return proto.setMetadata(metadata(list, unset)).build();
  }

  private static ByteString metadata(TensorList list, List<Integer> unset) {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeUInt64NoTag(unset.size());
      for (int index : unset) {
        out.writeUInt64NoTag(index);
      }
      out.writeUInt64NoTag(list.elementType().number());
      out.writeUInt64NoTag(list.limit()); // -1 as an unsigned number, as TensorFlow writes it.
      ShapeProtos.toProto(list.elementShape()).writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteString();
  }

  private static VariantTensorDataProto toProto(OptionalTensors optional) {
    VariantTensorDataProto.Builder proto =
        VariantTensorDataProto.newBuilder().setTypeName(OptionalTensors.TYPE_NAME);
    optional
        .components()
        .ifPresent(all -> all.forEach(c -> proto.addTensors(TensorProtos.toContentProto(c))));
    byte hasValue = (byte) (optional.components().isPresent() ? 1 : 0);
    return proto.setMetadata(ByteString.copyFrom(new byte[] {hasValue})).build();
  }

  // ---- decoding ----

  /**
   * The value in a message, or the bytes as they are if nothing more is known of their type.
   *
   * @param levels how many levels of variants there may be
   */
  static Object toValue(Allocator allocator, byte[] bytes, int levels) {
    VariantTensorDataProto proto;
    try {
      proto = VariantTensorDataProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      return bytes;
    }
    boolean isKnown =
        proto.getTypeName().equals(TensorList.TYPE_NAME)
            || proto.getTypeName().equals(OptionalTensors.TYPE_NAME)
            || proto.getTypeName().equals(RaggedTensors.TYPE_NAME)
            || proto.getTypeName().equals(HeldTensor.TYPE_NAME)
            || isOurState(proto);
    if (isKnown && levels == 0) {
      throw TributaryException.invalidArgument(
          "a variant holds variants in at most %d levels", Variant.MOST_LEVELS);
    }
    return switch (proto.getTypeName()) {
      case TensorList.TYPE_NAME -> toList(allocator, proto, levels);
      case OptionalTensors.TYPE_NAME -> toOptional(allocator, proto, levels);
      case RaggedTensors.TYPE_NAME -> toRagged(allocator, proto, levels);
      case HeldTensor.TYPE_NAME -> held(allocator, proto, levels, VariantProtos::single);
      case IteratorState.TYPE_NAME ->
          isOurState(proto) ? held(allocator, proto, levels, IteratorState::of) : bytes;
      default -> bytes;
    };
  }

  private static boolean isOurState(VariantTensorDataProto proto) {
    return proto.getTypeName().equals(IteratorState.TYPE_NAME)
        && proto.getMetadata().equals(ByteString.copyFromUtf8(IteratorState.FORM));
  }

  private static TensorList toList(Allocator allocator, VariantTensorDataProto proto, int levels) {
    try {
      CodedInputStream in = proto.getMetadata().newCodedInput();
      int[] unset = new int[count(in, proto.getMetadata())];
      for (int i = 0; i < unset.length; i++) {
        unset[i] = index(in.readRawVarint64(), i == 0 ? -1 : unset[i - 1]);
      }
      DataType type = TypeProtos.toType(Math.toIntExact(in.readRawVarint64()));
      int limit = (int) in.readRawVarint64();
      Shape shape = ShapeProtos.toShape(TensorShapeProto.parseFrom(in));
      TensorList list = new TensorList(type, shape, limit);
      try {
        fill(list, unset, allocator, proto, levels);
        return list;
      } catch (RuntimeException e) {
        Variant.end(list);
        throw e;
      }
    } catch (IOException | ArithmeticException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "malformed tensor list: " + e.getMessage(), e);
    }
  }

  private static void fill(
      TensorList list, int[] unset, Allocator allocator, VariantTensorDataProto proto, int levels) {
    list.resize(unset.length + proto.getTensorsCount());
    int at = 0;
    int passed = 0;
    for (TensorProto message : proto.getTensorsList()) {
      while (passed < unset.length && unset[passed] == at) {
        passed++;
        at++;
      }
      Tensor element = component(allocator, message, levels);
      boolean isOfType =
          element.type() == list.elementType()
              && list.elementShape().isCompatibleWith(element.shape());
      try {
        if (!isOfType) {
          throw TributaryException.invalidArgument("%s cannot be an element of %s", element, list);
        }
        list.set(at++, element);
      } catch (RuntimeException e) {
        element.close();
        throw e;
      }
    }
    if (unset.length > 0 && unset[unset.length - 1] >= list.size()) {
      throw TributaryException.invalidArgument(
          "element %d of a list of %d is not set", unset[unset.length - 1], list.size());
    }
  }

  /** Every index takes a byte at least, so few bytes never make a large array. */
  private static int count(CodedInputStream in, ByteString metadata) throws IOException {
    long count = in.readRawVarint64();
    if (count < 0 || count > metadata.size()) {
      throw TributaryException.invalidArgument(
          "%d bytes of a tensor list do not have %s indices",
          metadata.size(), Long.toUnsignedString(count));
    }
    return (int) count;
  }

  private static int index(long index, int before) {
    if (index <= before || index > Integer.MAX_VALUE) {
      throw TributaryException.invalidArgument(
          "the indices of elements that are not set must rise, but %s follows %d",
          Long.toUnsignedString(index), before);
    }
    return (int) index;
  }

  private static OptionalTensors toOptional(
      Allocator allocator, VariantTensorDataProto proto, int levels) {
    boolean hasValue = !proto.getMetadata().isEmpty() && proto.getMetadata().byteAt(0) != 0;
    if (!hasValue) {
      return OptionalTensors.none();
    }
    return held(allocator, proto, levels, OptionalTensors::of);
  }

  /** Splits that do not fit the values are found by the ops that take the variant. */
  private static RaggedTensors toRagged(
      Allocator allocator, VariantTensorDataProto proto, int levels) {
    if (proto.getTensorsCount() == 0) {
      throw TributaryException.invalidArgument("a ragged tensor in a variant has no values");
    }
    return held(allocator, proto, levels, RaggedTensors::of);
  }

  private static HeldTensor single(List<Tensor> components) {
    if (components.size() != 1) {
      throw TributaryException.invalidArgument(
          "a variant of one tensor has %d in its message", components.size());
    }
    return HeldTensor.of(components.get(0));
  }

  private static <V extends Variant> V held(
      Allocator allocator,
      VariantTensorDataProto proto,
      int levels,
      Function<List<Tensor>, V> value) {
    List<Tensor> components = new ArrayList<>();
    try {
      for (TensorProto message : proto.getTensorsList()) {
        components.add(component(allocator, message, levels));
      }
      return value.apply(components);
    } catch (RuntimeException e) {
      components.forEach(Tensor::close);
      throw e;
    }
  }

  /** A tensor in a variant, which has its elements one by one: a short list never repeats. */
  private static Tensor component(Allocator allocator, TensorProto message, int levels) {
    long count = ShapeProtos.toTensorShape(message.getTensorShape()).elementCount();
    if (count > message.getSerializedSize()) {
      throw TributaryException.invalidArgument(
          "a tensor message of %d bytes in a variant cannot stand for %d elements",
          message.getSerializedSize(), count);
    }
    return TensorProtos.toTensor(allocator, message, levels - 1);
  }
}
