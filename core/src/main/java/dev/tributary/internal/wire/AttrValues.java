package dev.tributary.internal.wire;

import com.google.protobuf.ByteString;
import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.TensorProto;

/** Attribute values as messages have them. */
public final class AttrValues {
  /**
   * The greatest depth of functions in the attributes of functions; protobuf's own parser bears a
   * hundred messages.
   */
  private static final int DEEPEST = 30;

  private AttrValues() {}

  // ---- encoding ----

  public static org.tensorflow.proto.AttrValue toProto(AttrValue value) {
    var proto = org.tensorflow.proto.AttrValue.newBuilder();
    if (value instanceof AttrValue.Bytes bytes) {
      proto.setS(ByteString.copyFrom(bytes.value()));
    } else if (value instanceof AttrValue.Int integer) {
      proto.setI(integer.value());
    } else if (value instanceof AttrValue.Real real) {
      proto.setF(real.value());
    } else if (value instanceof AttrValue.Bool bool) {
      proto.setB(bool.value());
    } else if (value instanceof AttrValue.Type type) {
      proto.setType(toProto(type));
    } else if (value instanceof AttrValue.ShapeValue shape) {
      proto.setShape(ShapeProtos.toProto(shape.value()));
    } else if (value instanceof AttrValue.TensorValue tensor) {
      proto.setTensor(TensorProtos.toProto(tensor.value()));
    } else if (value instanceof AttrValue.ByteVector bytes) {
      proto.setTensor(toProto(bytes));
    } else if (value instanceof AttrValue.Function function) {
      proto.setFunc(toProto(function));
    } else if (value instanceof AttrValue.Placeholder placeholder) {
      proto.setPlaceholder(placeholder.name());
    } else if (value instanceof AttrValue.ListValue list) {
      proto.setList(toProto(list));
    }
    return proto.build();
  }

  private static org.tensorflow.proto.AttrValue.ListValue toProto(AttrValue.ListValue list) {
    var proto = org.tensorflow.proto.AttrValue.ListValue.newBuilder();
    for (AttrValue value : list.values()) {
      if (value instanceof AttrValue.Bytes bytes) {
        proto.addS(ByteString.copyFrom(bytes.value()));
      } else if (value instanceof AttrValue.Int integer) {
        proto.addI(integer.value());
      } else if (value instanceof AttrValue.Real real) {
        proto.addF(real.value());
      } else if (value instanceof AttrValue.Bool bool) {
        proto.addB(bool.value());
      } else if (value instanceof AttrValue.Type type) {
        proto.addType(toProto(type));
      } else if (value instanceof AttrValue.ShapeValue shape) {
        proto.addShape(ShapeProtos.toProto(shape.value()));
      } else if (value instanceof AttrValue.TensorValue tensor) {
        proto.addTensor(TensorProtos.toProto(tensor.value()));
      } else if (value instanceof AttrValue.Function function) {
        proto.addFunc(toProto(function));
      } else {
        throw TributaryException.invalidArgument(
            "a list attribute cannot hold a %s", value.typeName());
      }
    }
    return proto.build();
  }

  /** One by one, as TensorFlow's signatures have them. */
  private static TensorProto toProto(AttrValue.ByteVector bytes) {
    TensorProto.Builder proto =
        TensorProto.newBuilder()
            .setDtype(TypeProtos.toProto(DataType.UINT8))
            .setTensorShape(ShapeProtos.toProto(Shape.of(bytes.value().length)));
    for (byte value : bytes.value()) {
      proto.addIntVal(Byte.toUnsignedInt(value));
    }
    return proto.build();
  }

  private static NameAttrList toProto(AttrValue.Function function) {
    NameAttrList.Builder proto = NameAttrList.newBuilder().setName(function.name());
    new TreeMap<>(function.attributes())
        .forEach((name, value) -> proto.putAttr(name, toProto(value)));
    return proto.build();
  }

  private static org.tensorflow.proto.DataType toProto(AttrValue.Type type) {
    return type.isRef()
        ? TypeProtos.toReferenceProto(type.value())
        : TypeProtos.toProto(type.value());
  }

  // ---- decoding ----

  /** The value in a message. Its tensors are new, and the caller's; see {@link #release}. */
  public static AttrValue toAttrValue(org.tensorflow.proto.AttrValue proto) {
    return toAttrValue(proto, 0);
  }

  /** Closes the tensors in a value from {@link #toAttrValue}. */
  public static void release(AttrValue value) {
    if (value instanceof AttrValue.TensorValue tensor) {
      tensor.value().close();
    } else if (value instanceof AttrValue.ListValue list) {
      list.values().forEach(AttrValues::release);
    } else if (value instanceof AttrValue.Function function) {
      function.attributes().values().forEach(AttrValues::release);
    }
  }

  private static AttrValue toAttrValue(org.tensorflow.proto.AttrValue proto, int depth) {
    return switch (proto.getValueCase()) {
      case S -> new AttrValue.Bytes(proto.getS().toByteArray());
      case I -> AttrValue.of(proto.getI());
      case F -> AttrValue.of(proto.getF());
      case B -> AttrValue.of(proto.getB());
      case TYPE -> toType(proto.getTypeValue());
      case SHAPE -> AttrValue.of(ShapeProtos.toShape(proto.getShape()));
      case TENSOR -> AttrValue.of(TensorProtos.toTensor(proto.getTensor()));
      case FUNC -> toFunction(proto.getFunc(), depth + 1);
      case PLACEHOLDER -> new AttrValue.Placeholder(proto.getPlaceholder());
      case LIST -> toList(proto.getList(), depth);
      case VALUE_NOT_SET ->
          throw TributaryException.invalidArgument("the value is missing, or of an unknown kind");
    };
  }

  private static AttrValue toType(int number) {
    return new AttrValue.Type(TypeProtos.toType(number), TypeProtos.isReference(number));
  }

  private static AttrValue toFunction(NameAttrList proto, int depth) {
    if (depth > DEEPEST) {
      throw TributaryException.invalidArgument(
          "functions stand more than %d deep in each other's attributes", DEEPEST);
    }
    Map<String, AttrValue> attributes = new LinkedHashMap<>();
    try {
      proto.getAttrMap().forEach((name, value) -> attributes.put(name, toAttrValue(value, depth)));
    } catch (TributaryException e) {
      attributes.values().forEach(AttrValues::release);
      throw e;
    }
    return new AttrValue.Function(proto.getName(), attributes);
  }

  private static AttrValue toList(org.tensorflow.proto.AttrValue.ListValue p, int depth) {
    List<AttrValue> values = new ArrayList<>();
    try {
      addAll(values, p.getSCount(), i -> new AttrValue.Bytes(p.getS(i).toByteArray()));
      addAll(values, p.getICount(), i -> AttrValue.of(p.getI(i)));
      addAll(values, p.getFCount(), i -> AttrValue.of(p.getF(i)));
      addAll(values, p.getBCount(), i -> AttrValue.of(p.getB(i)));
      addAll(values, p.getTypeCount(), i -> toType(p.getTypeValue(i)));
      addAll(values, p.getShapeCount(), i -> AttrValue.of(ShapeProtos.toShape(p.getShape(i))));
      addAll(values, p.getTensorCount(), i -> AttrValue.of(TensorProtos.toTensor(p.getTensor(i))));
      addAll(values, p.getFuncCount(), i -> toFunction(p.getFunc(i), depth + 1));
    } catch (TributaryException e) {
      values.forEach(AttrValues::release);
      throw e;
    }
    return new AttrValue.ListValue(values);
  }

  private static void addAll(List<AttrValue> values, int count, IntFunction<AttrValue> element) {
    if (count > 0 && !values.isEmpty()) {
      throw TributaryException.invalidArgument(
          "a list holds values of several kinds, %s first", values.get(0).typeName());
    }
    for (int i = 0; i < count; i++) {
      values.add(element.apply(i));
    }
  }
}
