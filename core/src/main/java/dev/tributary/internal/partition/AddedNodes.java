package dev.tributary.internal.partition;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.memory.PooledAllocator;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Makes the nodes that partitioning adds, each with a new name and on its device. Safe for use by
 * many threads.
 */
final class AddedNodes {
  /**
   * The value that a control edge sends. One for all graphs, so that no graph has to release it.
   */
  private static final Tensor NOTHING =
      Tensor.allocate(new PooledAllocator(0, false), DataType.FLOAT, Shape.of(0));

  private final OpRegistry registry;
  private final NodeNames names;
  private final ToLongFunction<String> incarnationOfDevice;

  AddedNodes(OpRegistry registry, NodeNames names, ToLongFunction<String> incarnationOfDevice) {
    this.registry = registry;
    this.names = names;
    this.incarnationOfDevice = incarnationOfDevice;
  }

  /** A node with outputs of these types and shapes, and no inputs yet. */
  StepNode node(
      String op,
      String baseName,
      String device,
      Map<String, AttrValue> attributes,
      List<DataType> types,
      List<Shape> shapes) {
    StepNode node =
        new StepNode(
            names.name(baseName),
            registry.lookup(op),
            Attributes.of(attributes),
            DeviceSpec.empty(),
            types,
            shapes);
    node.place(device);
    return node;
  }

  /** A node that gives its one input, or what came of it, in the same type and shape. */
  StepNode passing(
      String op, String baseName, String device, Map<String, AttrValue> attributes, Source input) {
    Map<String, AttrValue> typed = new HashMap<>(attributes);
    typed.put("T", AttrValue.of(input.type()));
    StepNode node =
        node(op, baseName, device, typed, List.of(input.type()), List.of(input.shape()));
    node.inputs().add(input);
    return node;
  }

  /** Passes a value on, on the device where it is; a variable is read. */
  StepNode identity(Source value) {
    return passing("Identity", value.node().name(), value.node().device(), Map.of(), value);
  }

  /** A constant of no elements. */
  StepNode nothing(String baseName, String device) {
    return node(
        "Const",
        baseName,
        device,
        Map.of("value", AttrValue.of(NOTHING), "dtype", AttrValue.of(DataType.FLOAT)),
        List.of(DataType.FLOAT),
        List.of(NOTHING.shape()));
  }

  /** Sends a value from its device to another one. */
  StepNode send(Source value, String tensorName, String recvDevice) {
    Map<String, AttrValue> attributes = transfer(value, tensorName, recvDevice);
    attributes.put("T", AttrValue.of(value.type()));
    StepNode send =
        node("_Send", value.node().name(), value.node().device(), attributes, List.of(), List.of());
    send.inputs().add(value);
    return send;
  }

  /** Gives what a Send with the same arguments sends. */
  StepNode recv(Source value, String tensorName, String recvDevice) {
    Map<String, AttrValue> attributes = transfer(value, tensorName, recvDevice);
    attributes.put("tensor_type", AttrValue.of(value.type()));
    return node(
        "_Recv",
        value.node().name(),
        recvDevice,
        attributes,
        List.of(value.type()),
        List.of(value.shape()));
  }

  /** A text that names one transfer. */
  String tensorName(StepNode source) {
    return "edge_" + names.number() + "_" + source.name();
  }

  private Map<String, AttrValue> transfer(Source value, String tensorName, String recvDevice) {
    String sendDevice = value.node().device();
    Map<String, AttrValue> attributes = new HashMap<>();
    attributes.put("tensor_name", AttrValue.of(tensorName));
    attributes.put("send_device", AttrValue.of(sendDevice));
    attributes.put(
        "send_device_incarnation", AttrValue.of(incarnationOfDevice.applyAsLong(sendDevice)));
    attributes.put("recv_device", AttrValue.of(recvDevice));
    attributes.put("client_terminated", AttrValue.of(false));
    return attributes;
  }
}
