package dev.tributary.app.digits;

import dev.tributary.graph.DeviceFunction;
import dev.tributary.graph.DeviceSpec;

/**
 * Puts variables on the parameter servers, one after the other in turn, and everything else on one
 * worker: TensorFlow's {@code replica_device_setter}. Workers that build the same graph find the
 * same variables. Confined to the thread that builds the graph.
 */
final class ReplicaDevices implements DeviceFunction {
  private final int parameterServers;
  private final DeviceSpec worker;
  private int variables;

  ReplicaDevices(int parameterServers, int worker) {
    this.parameterServers = parameterServers;
    this.worker = DeviceSpec.parse("/job:worker/task:" + worker);
  }

  @Override
  public DeviceSpec deviceFor(Candidate operation) {
    DeviceSpec chosen = operation.op().equals("VarHandleOp") ? nextServer() : worker;
    return operation.device().orElse(chosen);
  }

  private DeviceSpec nextServer() {
    return DeviceSpec.parse("/job:ps/task:" + variables++ % parameterServers);
  }
}
