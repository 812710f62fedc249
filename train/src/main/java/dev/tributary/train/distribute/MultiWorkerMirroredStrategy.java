package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.DeviceGroup;
import dev.tributary.ops.Ops;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.SessionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Replicas on the devices of several workers, each a process with this program, its own graph and a
 * session at its own server; there are no parameter servers. The workers' steps meet in collectives
 * that sum the gradients, so each worker must build the same graph and run the same steps.
 *
 * <pre>{@code
 * Strategy strategy = MultiWorkerMirroredStrategy.of(3, 1); // Worker 1 of 3.
 * Session session = Session.open(server.target(), graph, strategy.configure(options));
 * }</pre>
 *
 * Each worker runs the initializers; the variables get the initial values of worker 0. A worker
 * that is missing ends the steps of the others with an error after the {@linkplain #withTimeout
 * timeout}. {@link #makeDatasetIterator} lets each worker read all batches and take its pieces.
 */
public final class MultiWorkerMirroredStrategy extends Strategy {
  private static final String NAME = "MultiWorkerMirroredStrategy";

  private final List<String> tasks;
  private final int worker;
  private final List<String> devices;
  private final Duration timeout;

  private MultiWorkerMirroredStrategy(
      List<String> tasks, int worker, List<String> devices, Duration timeout) {
    this.tasks = tasks;
    this.worker = worker;
    this.devices = devices;
    this.timeout = timeout;
  }

  /** Returns the strategy of a worker among the tasks of the job {@code worker}. */
  public static MultiWorkerMirroredStrategy of(int workers, int worker) {
    return of(IntStream.range(0, workers).mapToObj(i -> "/job:worker/task:" + i).toList(), worker);
  }

  /**
   * Returns the strategy of a worker.
   *
   * @param tasks all workers, the chief first if there is one
   * @param worker the place of this one among them
   */
  public static MultiWorkerMirroredStrategy of(List<String> tasks, int worker) {
    List<String> distinct = Devices.distinct(NAME, tasks);
    if (worker < 0 || worker >= tasks.size()) {
      throw TributaryException.invalidArgument(
          "%s: worker %d is not among the %d tasks %s: give the place of this task, from 0 on",
          NAME, worker, tasks.size(), tasks);
    }
    return new MultiWorkerMirroredStrategy(
        distinct, worker, List.of(distinct.get(worker) + "/device:CPU:0"), Duration.ofMinutes(5));
  }

  /** Returns the same strategy, with so many replicas on CPU devices of each worker. */
  public MultiWorkerMirroredStrategy withReplicasPerWorker(int replicas) {
    List<String> local =
        Devices.cpus(NAME, replicas).stream().map(cpu -> tasks.get(worker) + cpu).toList();
    return new MultiWorkerMirroredStrategy(tasks, worker, local, timeout);
  }

  /** Returns the same strategy, with the longest time that a step waits for another worker. */
  public MultiWorkerMirroredStrategy withTimeout(Duration limit) {
    return new MultiWorkerMirroredStrategy(tasks, worker, devices, limit);
  }

  @Override
  List<String> replicaDevices() {
    return devices;
  }

  @Override
  List<String> copyDevices() {
    return devices;
  }

  @Override
  int firstReplica() {
    return worker * devices.size();
  }

  @Override
  public int numReplicasInSync() {
    return tasks.size() * devices.size();
  }

  @Override
  public InputContext inputContext() {
    return new InputContext(tasks.size(), worker, numReplicasInSync());
  }

  private DeviceGroup replicas() {
    return DeviceGroup.of(1, numReplicasInSync()).withTimeout(timeout);
  }

  /** The first device of each worker. */
  private DeviceGroup firstDevices() {
    return DeviceGroup.of(devices.size() == 1 ? 1 : 2, tasks.size()).withTimeout(timeout);
  }

  /** One collective sums all values whose sizes are known. */
  @Override
  List<List<Output>> sums(Ops tf, List<List<Output>> batch, List<String> destinations) {
    return new Packs(this::sum, 1).sums(tf, batch, destinations);
  }

  private List<Output> sum(Ops tf, List<Output> values, List<String> destinations) {
    int instance = Distribution.of(tf.graph()).nextInstance();
    List<Output> sums = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      sums.add(onReplica(tf, i).collectives.sum(values.get(i), replicas(), instance));
    }
    return destinations.stream().map(device -> whole(tf, sums, device)).toList();
  }

  /** A step that wants the sum on one device must run the collective on all of this worker. */
  private Output whole(Ops tf, List<Output> sums, String device) {
    Operation[] all = sums.stream().map(Output::operation).toArray(Operation[]::new);
    Output own = sums.get(Math.max(0, devices.indexOf(device)));
    return Devices.on(tf, device).withControlDependencies(all).identity(own);
  }

  @Override
  List<GradientValue> joinedSlices(Ops tf, List<IndexedSlices> slices, List<String> copies) {
    List<Output> values = gathered(tf, slices.stream().map(IndexedSlices::values).toList());
    List<Output> indices = gathered(tf, slices.stream().map(IndexedSlices::indices).toList());
    List<GradientValue> joined = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      joined.add(new IndexedSlices(values.get(i), indices.get(i), slices.get(i).denseShape()));
    }
    return joined;
  }

  private List<Output> gathered(Ops tf, List<Output> values) {
    int instance = Distribution.of(tf.graph()).nextInstance();
    List<Output> rows = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      rows.add(onReplica(tf, i).collectives.gather(values.get(i), replicas(), instance));
    }
    return rows;
  }

  /** Worker 0 gives its initial value to the others. */
  @Override
  Output initialValue(Ops tf, VariableDefinition definition, Function<Ops, Output> initialValue) {
    if (tasks.size() == 1) {
      return initialValue.apply(tf);
    }
    if (!definition.shape().isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "%s: variable '%s' needs a fully defined shape, so that workers can receive its initial"
              + " value; got %s",
          this, definition.name(), definition.shape());
    }
    int instance = Distribution.of(tf.graph()).nextInstance();
    return worker == 0
        ? tf.collectives.broadcastSend(initialValue.apply(tf), firstDevices(), instance)
        : tf.collectives.broadcastRecv(
            definition.type(), definition.shape(), firstDevices(), instance);
  }

  /** Returns options with which this worker's session sees its own task only. */
  @Override
  public SessionOptions configure(SessionOptions options) {
    ClusterOptions own = options.cluster().withDeviceFilters(tasks.get(worker));
    return options.withCluster(own);
  }

  @Override
  public String toString() {
    return NAME + tasks + ", worker " + worker;
  }
}
