package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.data.Dataset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The way in which a training program is spread over devices: TensorFlow's {@code
 * tf.distribute.Strategy}. A program creates its variables in the scope of a strategy and runs a
 * function for each replica. Another strategy is another line of it:
 *
 * <pre>{@code
 * Strategy strategy = MirroredStrategy.of(4);
 * try (StrategyScope scope = strategy.scope(tf)) {
 *   VariableScope model = VariableScope.of(scope.tf());
 *   DistributedIterator<Examples> input = strategy.makeDatasetIterator(tf, data.batch(64));
 *   PerReplica<Output> losses = strategy.run(tf, input.next(), (replica, batch) -> {
 *     Output each = lossOfEachExample(replica.in(model), batch);
 *     Output loss = Losses.computeAverageLoss(replica.tf(), each);
 *     Operation train = optimizer.minimize(replica.tf(), loss, globalStep);
 *     return replica.tf().withControlDependencies(train).identity(loss);
 *   });
 *   Output loss = strategy.reduce(tf, ReduceOp.SUM, losses); // A fetch of it trains all replicas.
 * }
 * Session session = Session.local(tf.graph(), strategy.configure(SessionOptions.defaults()));
 * }</pre>
 *
 * <p>The function is called once for each replica and adds its operations to the one graph, on the
 * replica's device. Strategies are immutable and can serve several graphs.
 */
public abstract class Strategy {
  Strategy() {}

  // ---- what a kind of strategy decides ----

  /** Returns the device of each replica of this process. */
  abstract List<String> replicaDevices();

  /** Returns the device of each copy of the variables. */
  abstract List<String> copyDevices();

  /** Returns a scope with the device of a replica. */
  Ops onReplica(Ops tf, int replica) {
    return Devices.on(tf, replicaDevices().get(replica));
  }

  /** Returns a scope with the device of a copy of the variables. */
  Ops besideCopy(Ops tf, int copy) {
    return Devices.on(tf, copyDevices().get(copy));
  }

  /** Returns a scope in which the first copy of a variable is made. */
  Ops placedForCreation(Ops tf) {
    return tf.withDevice(copyDevices().get(0));
  }

  Ops defaultScope(Ops tf) {
    return onReplica(tf, 0);
  }

  /** Returns sums of values of all replicas, each for several devices. */
  abstract List<List<Output>> sums(Ops tf, List<List<Output>> batch, List<String> devices);

  /** Returns sparse gradients of all replicas, joined for each copy of the variables. */
  List<GradientValue> joinedSlices(Ops tf, List<IndexedSlices> slices, List<String> devices) {
    return localReplicas() == 1 ? List.of(slices.get(0)) : Reduction.joined(tf, slices, devices);
  }

  /** Adds the initial value of the first copy of a variable, beside which the scope is. */
  Output initialValue(Ops tf, VariableDefinition definition, Function<Ops, Output> initialValue) {
    return initialValue.apply(tf);
  }

  /** Returns the number of the first replica of this process among all. */
  int firstReplica() {
    return 0;
  }

  final int localReplicas() {
    return replicaDevices().size();
  }

  final int copies() {
    return copyDevices().size();
  }

  // ---- what programs use ----

  /** Returns the number of replicas that train in step with each other. */
  public int numReplicasInSync() {
    return localReplicas();
  }

  /**
   * Opens the part of a program in which variables are made for this strategy. A graph has one
   * strategy at a time.
   */
  public final StrategyScope scope(Ops tf) {
    return new StrategyScope(this, tf);
  }

  /**
   * Calls a function once for each replica. It must make the same variables in each of them and
   * return values of the same structure.
   */
  public final <R> PerReplica<R> run(Ops tf, Function<ReplicaContext, R> function) {
    Distribution distribution = Distribution.of(tf.graph());
    if (distribution.replica().isPresent() || distribution.updated().isPresent()) {
      throw TributaryException.failedPrecondition(
          "%s is run in a replica: a replica cannot run replicas of its own", this);
    }
    try (StrategyScope scope = scope(tf)) {
      List<R> results = new ReplicaRun<R>(this, tf).results(function);
      Structures.requireAlike(results);
      return PerReplica.of(results);
    }
  }

  /** The same, with an argument that each replica gets its own part of. */
  public final <E, R> PerReplica<R> run(
      Ops tf, PerReplica<E> argument, BiFunction<ReplicaContext, E, R> function) {
    if (argument.size() != localReplicas()) {
      throw TributaryException.invalidArgument(
          "%s has %d replicas in this process, the argument has values for %d: take it from this"
              + " strategy's iterator",
          this, localReplicas(), argument.size());
    }
    return run(tf, replica -> function.apply(replica, replica.local(argument)));
  }

  /** Returns one value of all replicas. */
  public final Output reduce(Ops tf, ReduceOp op, PerReplica<? extends Operand> value) {
    List<Output> values = value.values().stream().map(Operand::asOutput).toList();
    List<String> first = replicaDevices().subList(0, 1);
    return new Reduction(this, tf).dense(op, List.of(values), first).get(0).get(0);
  }

  /**
   * Returns one value of all replicas and of all places along an axis. A mean counts each place
   * once, so that it is right for batches of different sizes, too.
   */
  public final Output reduce(Ops tf, ReduceOp op, PerReplica<? extends Operand> value, int axis) {
    List<Output> sums = new ArrayList<>();
    List<Output> counts = new ArrayList<>();
    for (int i = 0; i < value.size(); i++) {
      Output each = value.get(i).asOutput();
      Ops there = onReplica(tf, i);
      sums.add(there.sum(each, axis));
      Output size = there.slice(there.shape(each), new int[] {axis}, new int[] {1});
      counts.add(there.cast(there.reshape(size), each.type()));
    }
    Output sum = reduce(tf, ReduceOp.SUM, PerReplica.of(sums));
    return op == ReduceOp.SUM ? sum : tf.div(sum, reduce(tf, ReduceOp.SUM, PerReplica.of(counts)));
  }

  /** Splits a batch for all replicas along its first dimension. */
  public final PerReplica<Output> split(Operand batch) {
    return PerReplica.of(pieces(batch.asOutput()));
  }

  /** Returns the pieces of a batch that the replicas of this process get. */
  final List<Output> pieces(Output batch) {
    return numReplicasInSync() == 1
        ? List.of(batch)
        : BatchSplit.pieces(batch, numReplicasInSync())
            .subList(firstReplica(), firstReplica() + localReplicas());
  }

  /** Returns the values of the replicas of this process. */
  public final <T> List<T> localResults(PerReplica<T> value) {
    return value.values();
  }

  /**
   * Returns an iterator over a dataset of batches for all replicas together. Each batch is split
   * over the replicas.
   */
  public final <E> DistributedIterator<E> makeDatasetIterator(Ops tf, Dataset<E> dataset) {
    Ops host = onReplica(tf, 0);
    return DistributedIterator.splitting(this, dataset.initializableIterator(host), host);
  }

  /** Returns an iterator over a dataset of batches for one replica each, of this worker's part. */
  public final <E> DistributedIterator<E> distributeDatasetsFromFunction(
      Ops tf, Function<InputContext, Dataset<E>> function) {
    Ops host = onReplica(tf, 0);
    Dataset<E> dataset = function.apply(inputContext());
    return DistributedIterator.inTurn(this, dataset.initializableIterator(host), host);
  }

  /** Returns the facts that the input of this worker depends on. */
  public InputContext inputContext() {
    return new InputContext(1, 0, numReplicasInSync());
  }

  /** Returns options of a session that has the devices of this strategy. */
  public SessionOptions configure(SessionOptions options) {
    return options;
  }
}
