package dev.tributary.internal.executor;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.plan.wire.StepGraphDefs;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.DataType;
import dev.tributary.testing.TinyOps;
import org.tensorflow.proto.GraphDef;

/**
 * The part of a step that runs on one device, built by hand: {@link #send} and {@link #recv} of the
 * same name connect two parts. It takes the way over a message, as parts do.
 */
final class Part implements AutoCloseable {
  private static final long INCARNATION = 0x8000_0000_0000_00ffL;

  final TinyOps tf = new TinyOps();
  final Device device;
  private Graph constants;

  Part(int index) {
    device =
        new Device(
            "/job:test/replica:0/task:0/device:CPU:" + index,
            Allocator.shared(),
            new PlainBackend(ParallelFor.INLINE),
            new ResourceContainers());
  }

  Operation send(String name, Output value, Part to) {
    return edge("_Send", "send_" + name, name, this, to).input(value).build();
  }

  /** A value of another part, received where {@code within} is, in its loop or outside of loops. */
  Output recv(String name, DataType type, Part from, Operation... within) {
    OperationBuilder recv =
        edge("_Recv", "recv_" + name, name, from, this).attr("tensor_type", type);
    for (Operation operation : within) {
      recv.controlInput(operation);
    }
    return recv.buildOutput();
  }

  /** The key under which a value of that name goes from one part to another, outside of loops. */
  static RendezvousKey key(String name, Part from, Part to) {
    return new RendezvousKey(from.device.name(), INCARNATION, to.device.name(), name, 0, 0);
  }

  ExecutableGraph compile() {
    GraphDef.Builder def = GraphDefs.toProto(tf.graph()).toBuilder();
    def.getNodeBuilderList().forEach(node -> node.setDevice(device.name()));
    constants = new Graph(tf.graph().registry());
    return GraphCompiler.compile(
        StepGraphDefs.fromProto(def.build(), constants), device, new StatefulKernels());
  }

  @Override
  public void close() {
    tf.close();
    if (constants != null) {
      constants.close();
    }
  }

  private OperationBuilder edge(String op, String node, String name, Part from, Part to) {
    return tf.graph()
        .scope()
        .withName(node)
        .operation(op)
        .attr("tensor_name", name)
        .attr("send_device", from.device.name())
        .attr("send_device_incarnation", INCARNATION)
        .attr("recv_device", to.device.name());
  }
}
