package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.comm.RecvKernel;
import dev.tributary.internal.kernel.comm.SendKernel;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import java.util.List;

/**
 * Ops that send values from one device's part of a step to another's. The partitioner inserts them;
 * clients do not.
 */
final class CommOps {
  private CommOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(send("_Send"), recv("_Recv"), send("_HostSend"), recv("_HostRecv"));
  }

  private static OpDeclaration send(String name) {
    return edge(op(name).input("tensor: T").attr("T: type"))
        .kernel(SendKernel::new)
        .notDifferentiable();
  }

  private static OpDeclaration recv(String name) {
    return edge(op(name).output("tensor: tensor_type").attr("tensor_type: type"))
        .distributedCommunication()
        .kernel(RecvKernel::new)
        .notDifferentiable();
  }

  private static Declaration edge(Declaration op) {
    return op.attr("tensor_name: string")
        .attr("send_device: string")
        .attr("send_device_incarnation: int")
        .attr("recv_device: string")
        .attr("client_terminated: bool = false")
        .stateful()
        .flag(OpFlag.RUNS_WHEN_DEAD)
        .shape(ShapeRules::unknown);
  }
}
