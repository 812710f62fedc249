package dev.tributary.train.distribute;

import dev.tributary.graph.DeviceFunction;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.List;

/**
 * One replica for each worker, and variables on parameter servers that all workers share: the
 * between-graph form. Each worker is a process with this program and a graph of its own; between
 * workers updates are asynchronous. {@code Consistency} of the package {@code replica} makes them
 * synchronous.
 *
 * <pre>{@code
 * Strategy strategy =
 *     ParameterServerStrategy.of(ReplicaDeviceSetter.of(2).withWorkerDevice("/job:worker/task:1"));
 * }</pre>
 *
 * A device function counts the variables that it places, so the strategy is for one graph.
 */
public final class ParameterServerStrategy extends Strategy {
  private final DeviceFunction placement;
  private final InputContext input;

  private ParameterServerStrategy(DeviceFunction placement, InputContext input) {
    this.placement = placement;
    this.input = input;
  }

  /**
   * Returns the strategy of one worker.
   *
   * @param placement sends variables to parameter servers and all else to the worker
   */
  public static ParameterServerStrategy of(DeviceFunction placement) {
    return new ParameterServerStrategy(placement, new InputContext(1, 0, 1));
  }

  /** Returns the same strategy, for the worker with this number among so many. */
  public ParameterServerStrategy withWorker(int worker, int workers) {
    return new ParameterServerStrategy(placement, new InputContext(workers, worker, 1));
  }

  @Override
  List<String> replicaDevices() {
    return List.of("");
  }

  @Override
  List<String> copyDevices() {
    return List.of("");
  }

  @Override
  Ops onReplica(Ops tf, int replica) {
    return new Ops(tf.scope().withoutDevice().withDeviceFunction(placement));
  }

  @Override
  Ops besideCopy(Ops tf, int copy) {
    return onReplica(tf, 0);
  }

  @Override
  Ops placedForCreation(Ops tf) {
    return onReplica(tf, 0);
  }

  @Override
  List<List<Output>> sums(Ops tf, List<List<Output>> batch, List<String> devices) {
    return batch;
  }

  @Override
  public InputContext inputContext() {
    return input;
  }

  @Override
  public String toString() {
    return "ParameterServerStrategy";
  }
}
