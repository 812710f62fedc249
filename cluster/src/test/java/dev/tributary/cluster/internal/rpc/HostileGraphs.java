package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Random;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Graphs and tensors that parse and are nonsense: circles, wrong types and counts, shapes that lie.
 * Confined to one thread.
 */
final class HostileGraphs {
  static final List<String> DEVICES =
      List.of(
          "", "/job:local/replica:0/task:0/device:CPU:0", "/job:ps/task:7", "/device:TPU:0", "?");

  private static final long[] SIZES = {
    0, 1, 2, 3, 7, 1000, -1, -2, 1L << 20, 1L << 31, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE
  };
  private static final List<String> OPS =
      List.of(
          "Const",
          "Placeholder",
          "Add",
          "AddV2",
          "Mul",
          "MatMul",
          "Identity",
          "NoOp",
          "Fill",
          "Reshape",
          "ConcatV2",
          "Transpose",
          "Sum",
          "Gather",
          "GatherV2",
          "Switch",
          "Merge",
          "Enter",
          "Exit",
          "NextIteration",
          "LoopCond",
          "VarHandleOp",
          "AssignVariableOp",
          "ReadVariableOp",
          "VariableV2",
          "Assign",
          "_Send",
          "_Recv",
          "FIFOQueueV2",
          "QueueEnqueueV2",
          "QueueDequeueV2",
          "Conv2D",
          "RandomUniform",
          "Range",
          "Tile",
          "Bogus");
  private static final List<String> ATTRIBUTES =
      List.of(
          "T",
          "dtype",
          "value",
          "shape",
          "N",
          "Tidx",
          "Tshape",
          "Index",
          "frame_name",
          "is_constant",
          "parallel_iterations",
          "tensor_name",
          "send_device",
          "recv_device",
          "send_device_incarnation",
          "component_types",
          "capacity",
          "strides",
          "padding",
          "transpose_a",
          "container",
          "shared_name",
          "_class");

  private final Random random;

  HostileGraphs(Random random) {
    this.random = random;
  }

  long size() {
    return SIZES[random.nextInt(SIZES.length)];
  }

  GraphDef graph() {
    GraphDef.Builder graph = GraphDef.newBuilder();
    graph.getVersionsBuilder().setProducer(random.nextInt(10) == 0 ? (int) size() : 1882);
    int nodes = random.nextInt(8);
    for (int i = 0; i < nodes; i++) {
      graph.addNode(node("n" + (random.nextInt(20) == 0 ? 0 : i), nodes));
    }
    return graph.build();
  }

  TensorProto tensor() {
    TensorProto.Builder tensor = TensorProto.newBuilder().setTensorShape(shape());
    tensor.setDtypeValue(random.nextInt(25));
    switch (random.nextInt(4)) {
      case 0 -> tensor.setTensorContent(bytes(random.nextInt(64)));
      case 1 -> tensor.addFloatVal(random.nextFloat());
      case 2 -> tensor.addIntVal((int) size());
      default -> tensor.addStringVal(bytes(random.nextInt(9)));
    }
    return tensor.build();
  }

  ByteString bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }

  String device() {
    return DEVICES.get(random.nextInt(DEVICES.size()));
  }

  private NodeDef node(String name, int nodes) {
    NodeDef.Builder node =
        NodeDef.newBuilder()
            .setName(name)
            .setOp(OPS.get(random.nextInt(OPS.size())))
            .setDevice(device());
    for (int i = random.nextInt(4); i > 0; i--) {
      String source = "n" + random.nextInt(nodes + 1);
      node.addInput(random.nextInt(6) == 0 ? "^" + source : source + ":" + random.nextInt(2));
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      node.putAttr(ATTRIBUTES.get(random.nextInt(ATTRIBUTES.size())), attribute());
    }
    return node.build();
  }

  private AttrValue attribute() {
    AttrValue.Builder value = AttrValue.newBuilder();
    return switch (random.nextInt(8)) {
      case 0 -> value.setI(size()).build();
      case 1 -> value.setB(random.nextBoolean()).build();
      case 2 -> value.setS(bytes(random.nextInt(9))).build();
      case 3 -> value.setShape(shape()).build();
      case 4 -> value.setTensor(tensor()).build();
      case 5 -> value.setList(AttrValue.ListValue.newBuilder().addI(size()).addI(size())).build();
      default -> value.setType(type()).build();
    };
  }

  private DataType type() {
    return random.nextInt(3) == 0 ? DataType.DT_FLOAT : DataType.forNumber(random.nextInt(24));
  }

  private TensorShapeProto shape() {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    if (random.nextInt(10) == 0) {
      return shape.setUnknownRank(true).build();
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(size()));
    }
    return shape.build();
  }
}
