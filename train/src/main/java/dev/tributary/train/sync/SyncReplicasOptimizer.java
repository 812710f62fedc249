package dev.tributary.train.sync;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphVariable;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.optimizer.VariableAverages;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.SharedState;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets the gradients of many workers make one step together. Each worker builds the same graph:
 *
 * <pre>{@code
 * SyncReplicasOptimizer optimizer = new SyncReplicasOptimizer(new AdamOptimizer(1e-3), 3, 3);
 * Operation train = optimizer.minimize(tf, loss, globalStep);
 * SyncOperations sync = optimizer.operations();
 * // The chief: initialise, run sync.chiefInit(), then SyncRunner.start(sync, session, coordinator).
 * // Other workers: wait until sync.readyForLocalInit() is empty, run sync.localInit().
 * // In monitored sessions a SyncReplicasHook does so.
 * }</pre>
 *
 * Confined to the thread that builds the graph; for one graph.
 */
public final class SyncReplicasOptimizer implements Optimizer {
  /*
   * How a step goes. Workers add their gradients to an accumulator beside each variable, each
   * marked with the global step at which the worker read the variables, its local step. Then they
   * wait for a token. The chief waits until each accumulator has enough gradients, applies their
   * means, which counts the global step, and gives out tokens with the new step. A worker
   * that gets one makes it its local step and goes on: it reads variables only after the update.
   * A gradient whose local step is over is dropped, so that with backup workers the slowest ones
   * never spoil a step; they get a token too, and are up to date again.
   *
   * Leaving. A worker without input adds one to a counter on the parameter server. The chief looks
   * at it, and from then on waits for fewer gradients and gives out fewer tokens: see SyncRunner.
   *
   * Counting. How many gradients were dropped and how old the others were: see GradientTally.
   *
   * Names of shared things (accumulators, sync_rep_local_step) are TensorFlow's. Unlike
   * TensorFlow, workers that make one gradient in each step have token queues of their own, and no
   * tokens are there at the start unless they must be: with as many tokens as workers, all of them
   * compute their second gradient before the first update.
   */
  private static final String LOCAL_STEP = "sync_rep_local_step";
  private static final String DEPARTED = "sync_rep_departed";

  private final Optimizer optimizer;
  private final Replicas replicas;
  private final Optional<VariableAverages> averages;
  private final Optional<Integer> replica;
  private Optional<SyncOperations> operations = Optional.empty();

  /**
   * @param replicasToAggregate how many gradients make a step
   * @param totalReplicas how many workers there are; those above the gradients are backups
   */
  public SyncReplicasOptimizer(Optimizer optimizer, int replicasToAggregate, int totalReplicas) {
    this(
        optimizer,
        new Replicas(replicasToAggregate, totalReplicas),
        Optional.empty(),
        Optional.empty());
  }

  private SyncReplicasOptimizer(
      Optimizer optimizer,
      Replicas replicas,
      Optional<VariableAverages> averages,
      Optional<Integer> replica) {
    this.optimizer = optimizer;
    this.replicas = replicas;
    this.averages = averages;
    this.replica = replica;
  }

  /** A new optimizer that also moves these averages in each step. */
  public SyncReplicasOptimizer withVariableAverages(
      ExponentialMovingAverage average, List<GraphVariable> variables) {
    return withVariableAverages(new VariableAverages(average, variables));
  }

  /** A new optimizer that also moves these averages in each step. */
  public SyncReplicasOptimizer withVariableAverages(VariableAverages moved) {
    return new SyncReplicasOptimizer(optimizer, replicas, Optional.of(moved), replica);
  }

  /**
   * A new optimizer that knows which of the workers, counted from 0, this is. Otherwise it is the
   * number of the task on whose device the operations are.
   */
  public SyncReplicasOptimizer withReplica(int number) {
    return new SyncReplicasOptimizer(optimizer, replicas, averages, Optional.of(number));
  }

  @Override
  public String name() {
    return "sync_replicas";
  }

  /** What chief and workers run beside their training steps. */
  public SyncOperations operations() {
    return operations.orElseThrow(
        () ->
            TributaryException.failedPrecondition(
                "%s: operations() comes after applyGradients()", name()));
  }

  @Override
  public Operation applyGradients(
      Ops tf, List<GradientAndVariable> gradients, Optional<GraphVariable> globalStep) {
    GraphVariable step =
        globalStep.orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "%s: synchronous training needs a global step", name()));
    Ops inner = tf.withSubScope(name());
    Ops beside = SharedState.beside(inner, step);
    GraphVariable localStep =
        VariableScope.of(tf)
            .getVariable(
                VariableSpec.of(LOCAL_STEP, Shape.scalar())
                    .type(step.type())
                    .initializer(Initializers.zeros())
                    .asLocal());
    GraphVariable departed = SharedState.scalar(beside, DEPARTED, DataType.INT32);
    GradientTally tally = GradientTally.of(beside);
    Output required = setting(beside, "required", replicas.required(0));
    Output tokenCount = setting(beside, "tokens", replicas.tokens(0));
    GradientAccumulator.Steps steps =
        new GradientAccumulator.Steps(localStep.value(), step.value());

    List<Operation> added = new ArrayList<>();
    List<Operation> stepsSet = new ArrayList<>();
    List<Output> counts = new ArrayList<>();
    List<GradientAndVariable> means = new ArrayList<>();
    for (GradientAndVariable pair : gradients) {
      if (!pair.hasGradient()) {
        means.add(pair);
        continue;
      }
      GraphVariable variable = pair.variable();
      GradientAccumulator accumulator =
          GradientAccumulator.of(
              inner.colocatedWith(variable.handle().operation()),
              variable,
              pair.gradient(),
              steps,
              required);
      added.add(accumulator.add());
      stepsSet.add(accumulator.setStep());
      counts.add(accumulator.count());
      means.add(pair.withGradient(accumulator.mean()));
    }

    int own = replica.orElseGet(() -> tf.scope().plainDevice().task().orElse(0));
    TokenQueues tokens = TokenQueues.of(beside, step.type(), replicas, own);
    Output taken = tally.take(beside, required);
    counts.add(tally.count(beside));
    Operation updated =
        moved(beside, optimizer.applyGradients(SharedState.beside(tf, step), means, globalStep));
    Ops after = beside.withControlDependencies(updated);
    Output next = step.in(after).read();
    Operation recorded = tally.record(after, taken, after.math.shift(next, -1));
    Operation sync = tokens.give(after.withControlDependencies(recorded), next, tokenCount);

    Operation localInit =
        inner
            .withName("local_init")
            .flow
            .group(List.of(localStep.in(inner).assign(step.value()), tokens.clear(beside)));
    stepsSet.add(localInit);
    stepsSet.add(departed.initializer());
    stepsSet.add(tally.init(beside, step.value()));
    List<GraphVariable> shared = new ArrayList<>(tally.variables());
    shared.add(departed);
    operations =
        Optional.of(
            new SyncOperations(
                inner.withName("chief_init").flow.group(stepsSet),
                localInit,
                Variables.reportUninitialized(inner, Variables.global(tf.graph())),
                Variables.reportUninitialized(inner, shared),
                departed.in(beside).assignAdd(beside.constant(1)),
                new ChiefOperations(
                    replicas,
                    initTokens(beside, tokens, step),
                    sync,
                    required,
                    tokenCount,
                    departed.value(),
                    counts),
                tally.staleness(beside)));
    Ops ready = beside.withControlDependencies(added.toArray(new Operation[0]));
    Operation brought = tally.bring(ready, localStep.value());
    Output token = tokens.take(ready.withControlDependencies(brought));
    return localStep.in(inner).assign(token);
  }

  private Operation moved(Ops tf, Operation updated) {
    return averages.map(a -> a.after(tf, updated)).orElse(updated);
  }

  /** A number that the chief gives to its steps while workers leave. */
  private static Output setting(Ops tf, String name, int value) {
    return tf.withName(name).array.placeholderWithDefault(tf.constant(value), Shape.scalar());
  }

  /** Only those who share a queue need tokens at the start. */
  private Operation initTokens(Ops tf, TokenQueues tokens, GraphVariable step) {
    int count = replicas.initialTokens();
    return count == 0 ? tf.flow.noOp() : tokens.give(tf, step.value(), tf.constant(count));
  }
}
