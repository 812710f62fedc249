package dev.tributary.interop;

import com.google.protobuf.ByteString;
import dev.tributary.internal.wire.AttrValues;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** Short words for graphs written by hand: nodes and the values of attributes. */
final class Nodes {
  private Nodes() {}

  static GraphDef graph(NodeDef... nodes) {
    return GraphDef.newBuilder().addAllNode(List.of(nodes)).build();
  }

  /** A node; inputs are written as in a GraphDef: {@code a}, {@code a:1}, {@code ^a}. */
  static NodeDef node(String name, String op, Map<String, AttrValue> attributes, String... inputs) {
    return NodeDef.newBuilder()
        .setName(name)
        .setOp(op)
        .putAllAttr(attributes)
        .addAllInput(List.of(inputs))
        .build();
  }

  /** A placeholder of any shape. */
  static NodeDef placeholder(String name, DataType dataType) {
    return node(name, "Placeholder", Map.of("dtype", type(dataType)));
  }

  /** A placeholder for tensors of the type and shape of this one. */
  static NodeDef placeholder(String name, Tensor like) {
    AttrValue shape = AttrValues.toProto(dev.tributary.op.AttrValue.ofObject(like.shape()));
    return node(name, "Placeholder", Map.of("dtype", type(like.type()), "shape", shape));
  }

  static NodeDef constant(String name, Tensor value) {
    AttrValue proto = AttrValue.newBuilder().setTensor(message(value)).build();
    return node(name, "Const", Map.of("dtype", type(value.type()), "value", proto));
  }

  static AttrValue type(DataType type) {
    return AttrValue.newBuilder().setTypeValue(type.number()).build();
  }

  static AttrValue types(List<DataType> types) {
    AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
    types.forEach(type -> list.addTypeValue(type.number()));
    return AttrValue.newBuilder().setList(list).build();
  }

  static AttrValue number(long value) {
    return AttrValue.newBuilder().setI(value).build();
  }

  static AttrValue real(float value) {
    return AttrValue.newBuilder().setF(value).build();
  }

  static AttrValue flag(boolean value) {
    return AttrValue.newBuilder().setB(value).build();
  }

  static AttrValue text(String value) {
    return AttrValue.newBuilder().setS(ByteString.copyFromUtf8(value)).build();
  }

  static AttrValue shape(Shape shape) {
    return AttrValue.newBuilder().setShape(message(shape)).build();
  }

  private static TensorShapeProto message(Shape shape) {
    TensorShapeProto.Builder message =
        TensorShapeProto.newBuilder().setUnknownRank(!shape.hasRank());
    for (int i = 0; i < shape.rank(); i++) {
      message.addDim(TensorShapeProto.Dim.newBuilder().setSize(shape.size(i)));
    }
    return message.build();
  }

  private static TensorProto message(Tensor tensor) {
    TensorProto.Builder message =
        TensorProto.newBuilder()
            .setDtypeValue(tensor.type().number())
            .setTensorShape(message(tensor.shape()));
    if (tensor.type() == DataType.STRING) {
      for (Object element : tensor.objects()) {
        message.addStringVal(ByteString.copyFrom((byte[]) element));
      }
    } else {
      message.setTensorContent(ByteString.copyFrom(tensor.toBytes()));
    }
    return message.build();
  }
}
