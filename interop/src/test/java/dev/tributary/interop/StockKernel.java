package dev.tributary.interop;

import com.google.protobuf.ByteString;
import dev.tributary.tensor.Tensor;
import java.util.Map;
import org.tensorflow.Graph;
import org.tensorflow.OperationBuilder;
import org.tensorflow.Output;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** One op of stock TensorFlow on constant inputs, which keeps its state from run to run. */
final class StockKernel implements AutoCloseable {
  private final Graph graph = new Graph();
  private final Output<?> output;
  private final Session session;

  /** Attributes are longs or element types. */
  StockKernel(String op, Map<String, Object> attributes, Tensor... inputs) {
    OperationBuilder builder = graph.opBuilder(op, "op", graph.baseScope());
    for (int i = 0; i < inputs.length; i++) {
      builder.addInput(constant("input" + i, inputs[i]));
    }
    attributes.forEach((name, value) -> builder.setAttr(name, attribute(value)));
    output = builder.build().output(0);
    session = new Session(graph);
  }

  byte[] run() {
    try (Result result = session.runner().fetch(output).run()) {
      byte[] bytes = new byte[(int) result.get(0).asRawTensor().numBytes()];
      if (bytes.length > 0) {
        result.get(0).asRawTensor().data().read(bytes);
      }
      return bytes;
    }
  }

  @Override
  public void close() {
    session.close();
    graph.close();
  }

  private Output<?> constant(String name, Tensor value) {
    DataType type = DataType.forNumber(value.type().number());
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (int i = 0; i < value.rank(); i++) {
      shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(value.shape().size(i)));
    }
    TensorProto.Builder tensor = TensorProto.newBuilder().setDtype(type).setTensorShape(shape);
    tensor.setTensorContent(ByteString.copyFrom(value.toBytes()));
    return graph
        .opBuilder("Const", name, graph.baseScope())
        .setAttr("dtype", type)
        .setAttr("value", AttrValue.newBuilder().setTensor(tensor).build())
        .build()
        .output(0);
  }

  private static AttrValue attribute(Object value) {
    AttrValue.Builder attribute = AttrValue.newBuilder();
    return value instanceof dev.tributary.tensor.DataType type
        ? attribute.setType(DataType.forNumber(type.number())).build()
        : attribute.setI((Long) value).build();
  }
}
