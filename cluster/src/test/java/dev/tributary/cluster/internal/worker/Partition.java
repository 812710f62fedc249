package dev.tributary.cluster.internal.worker;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import org.tensorflow.proto.GraphDef;

/** A partition that a test writes by hand, all of it on one device. */
final class Partition implements AutoCloseable {
  /** One end of a transfer: a device and its life. */
  record End(String device, long incarnation) {
    /** The key of a value that is sent outside of loops. */
    String key(End to, String tensorName) {
      return new RendezvousKey(device, incarnation, to.device, tensorName, 0, 0).toString();
    }

    /** The key under which a client's values come and go. */
    String clientKey(String tensorName) {
      return key(this, tensorName);
    }
  }

  final Ops tf;
  private final Graph graph;
  private final End here;

  Partition(OpRegistry registry, End here) {
    this.graph = new Graph(registry);
    this.tf = new Ops(graph.scope()).withDevice(here.device);
    this.here = here;
  }

  /** A value that the client feeds. */
  Output fed(String name, DataType type) {
    return transfer("_Recv", name, here, here).attr("tensor_type", type).buildOutput();
  }

  Operation fetched(String name, Output value) {
    return transfer("_Send", name, here, here).input(value).build();
  }

  Output received(String name, DataType type, End from) {
    return transfer("_Recv", name, from, here).attr("tensor_type", type).buildOutput();
  }

  Operation sent(String name, Output value, End to) {
    return transfer("_Send", name, here, to).input(value).build();
  }

  /** The first output of a test op. */
  Output op(String type, Output... inputs) {
    var builder = tf.scope().operation(type);
    for (Output input : inputs) {
      builder.input(input);
    }
    return builder.buildOutput();
  }

  GraphDef toProto() {
    return GraphDefs.toProto(graph);
  }

  @Override
  public void close() {
    graph.close();
  }

  private OperationBuilder transfer(String op, String name, End from, End to) {
    return tf.withName((op.equals("_Send") ? "send_" : "recv_") + name)
        .scope()
        .operation(op)
        .attr("tensor_name", name)
        .attr("send_device", from.device)
        .attr("send_device_incarnation", from.incarnation)
        .attr("recv_device", to.device)
        .attr("client_terminated", from.equals(to));
  }
}
