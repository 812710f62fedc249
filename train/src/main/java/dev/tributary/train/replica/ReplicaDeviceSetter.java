package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceFunction;
import dev.tributary.graph.DeviceSpec;
import java.util.Set;

/**
 * A device function that places variables on parameter servers and everything else on a worker, for
 * between-graph replication: TensorFlow's {@code replica_device_setter}.
 *
 * <pre>{@code
 * Ops model = tf.withDeviceFunction(ReplicaDeviceSetter.of(2).withWorkerDevice("/job:worker/task:1"));
 * }</pre>
 *
 * Devices of inner scopes take precedence. Variables are balanced by their bytes; TensorFlow's
 * default is one server after the other, as with {@code withStrategy(PsStrategy.roundRobin(n))}. A
 * setter is for one graph, since its strategy keeps counts; confined to the thread that builds the
 * graph.
 */
public final class ReplicaDeviceSetter implements DeviceFunction {
  private static final Set<String> PS_OPS =
      Set.of(
          "Variable",
          "VariableV2",
          "AutoReloadVariable",
          "MutableHashTable",
          "MutableHashTableV2",
          "MutableHashTableOfTensors",
          "MutableHashTableOfTensorsV2",
          "MutableDenseHashTable",
          "MutableDenseHashTableV2",
          "VarHandleOp",
          "BoostedTreesEnsembleResourceHandleOp",
          "BoostedTreesQuantileStreamResourceHandleOp",
          "ResourceConditionalAccumulator",
          "DecisionTreeResource");

  private final DeviceSpec psDevice;
  private final DeviceSpec workerDevice;
  private final PsStrategy strategy;

  private ReplicaDeviceSetter(DeviceSpec psDevice, DeviceSpec workerDevice, PsStrategy strategy) {
    this.psDevice = psDevice;
    this.workerDevice = workerDevice;
    this.strategy = strategy;
  }

  /** Returns a setter for a cluster with this many tasks in the job {@code ps}. */
  public static ReplicaDeviceSetter of(int psTasks) {
    if (psTasks < 1) {
      throw TributaryException.invalidArgument(
          "a replica device setter needs at least one parameter server, got %d", psTasks);
    }
    return new ReplicaDeviceSetter(
        DeviceSpec.parse("/job:ps"),
        DeviceSpec.parse("/job:worker"),
        PsStrategy.leastBytes(psTasks));
  }

  public ReplicaDeviceSetter withPsDevice(String device) {
    return new ReplicaDeviceSetter(DeviceSpec.parse(device), workerDevice, strategy);
  }

  public ReplicaDeviceSetter withWorkerDevice(String device) {
    return new ReplicaDeviceSetter(psDevice, DeviceSpec.parse(device), strategy);
  }

  public ReplicaDeviceSetter withStrategy(PsStrategy newStrategy) {
    return new ReplicaDeviceSetter(psDevice, workerDevice, newStrategy);
  }

  @Override
  public DeviceSpec deviceFor(Candidate operation) {
    DeviceSpec asked = operation.device();
    if (!PS_OPS.contains(operation.op())) {
      return asked.orElse(workerDevice);
    }
    // An operation on another job must not advance the count of the strategy.
    boolean ours = asked.job().isEmpty() || asked.job().equals(psDevice.job());
    DeviceSpec ps =
        ours ? DeviceSpec.parse("/task:" + strategy.task(operation)).orElse(psDevice) : psDevice;
    return asked.orElse(ps);
  }
}
