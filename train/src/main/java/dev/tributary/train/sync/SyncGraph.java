package dev.tributary.train.sync;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.liveness.Liveness;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.SharedState;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Builds what {@link SyncReplicasOptimizer} adds to a graph. Confined to the thread that builds the
 * graph.
 */
final class SyncGraph {
  private static final String LOCAL_STEP = "sync_rep_local_step";

  private final Ops inner;
  private final Ops beside;
  private final Replicas replicas;
  private final Variable step;
  private final Variable localStep;
  private final GradientTally tally;
  private final Output required;
  private final Membership membership;
  private final GradientAccumulators accumulators;
  private final List<Output> counts;
  private final TokenQueues tokens;
  private final Output taken;

  /**
   * @param own which of the workers this is
   * @param liveness how dead workers are known, if they are
   */
  SyncGraph(
      Ops tf,
      String name,
      Replicas replicas,
      int own,
      Optional<Liveness> liveness,
      List<GradientAndVariable> gradients,
      Variable step) {
    this.inner = tf.withSubScope(name);
    this.beside = SharedState.beside(inner, step);
    this.replicas = replicas;
    this.step = step;
    this.localStep =
        VariableScope.of(tf)
            .getVariable(
                VariableSpec.of(LOCAL_STEP, Shape.scalar())
                    .withType(step.type())
                    .withInitializer(Initializers.zeros())
                    .asLocal());
    this.tally = GradientTally.of(beside);
    this.required =
        beside
            .withName("required")
            .array
            .placeholderWithDefault(beside.constant(replicas.required(0)), Shape.scalar());
    this.membership =
        liveness
            .<Membership>map(l -> new Attendance(beside, replicas, own, l))
            .orElseGet(() -> new DepartureCount(beside, replicas));
    // A step that may be cancelled must not have taken anything while it waits. Workers add to the
    // tally last, so once that gives enough, no other accumulator lets anybody wait.
    Optional<Output> first = liveness.map(l -> tally.take(beside, required));
    Ops taking = first.map(t -> inner.withControlDependencies(t.operation())).orElse(inner);
    this.accumulators =
        GradientAccumulators.of(
            inner,
            taking,
            gradients,
            new GradientAccumulator.Steps(localStep.value(), step.value()),
            required);
    this.tokens = TokenQueues.of(beside, step.type(), replicas, own);
    this.taken = first.orElseGet(() -> tally.take(beside, required));
    this.counts = new ArrayList<>(accumulators.counts());
    counts.add(tally.count(beside));
  }

  /**
   * What chief and workers run beside their training steps.
   *
   * @param update applies the means of the accumulators and counts the step; is told where that is
   */
  SyncOperations operations(BiFunction<Ops, List<GradientAndVariable>, Operation> update) {
    Ops after = beside.withControlDependencies(update.apply(beside, accumulators.means()));
    Output next = step.in(after).read();
    Operation recorded = tally.record(after, taken, after.math.shift(next, -1));
    Operation sync = membership.give(after.withControlDependencies(recorded), tokens, next);

    Operation localInit = localInit();
    List<Variable> shared = new ArrayList<>(tally.variables());
    shared.addAll(membership.variables());
    return new SyncOperations(
        step.value(),
        chiefInit(localInit),
        workerInit(localInit),
        Variables.reportUninitialized(inner, Variables.global(inner.graph())),
        Variables.reportUninitialized(inner, shared),
        membership.leave(),
        membership.beat(),
        new ChiefOperations(
            initTokens(),
            sync,
            required,
            membership.tokens(),
            membership.roster(step, counts, this::stepsSet, tokens)),
        tally.staleness(beside));
  }

  /**
   * Reads the step when older tokens are gone: a token that is thrown away was given after the step
   * it tells of was made, so this worker knows of that step, and nobody waits for it in vain.
   */
  private Operation localInit() {
    Ops cleared = beside.withControlDependencies(tokens.clear(beside));
    Operation set = localStep.in(inner).assign(step.in(cleared).read());
    return inner.withName("local_init").group(List.of(set));
  }

  private Operation chiefInit(Operation localInit) {
    Operation begun = membership.chiefInit();
    List<Operation> all = new ArrayList<>(accumulators.stepsSet());
    all.add(localInit);
    all.add(begun);
    all.addAll(membership.join(beside.withControlDependencies(begun)));
    all.add(tally.init(beside, step.value()));
    return inner.withName("chief_init").group(all);
  }

  private Operation workerInit(Operation localInit) {
    List<Operation> all = new ArrayList<>(membership.join(beside));
    if (all.isEmpty()) {
      return localInit;
    }
    all.add(localInit);
    return inner.withName("worker_init").group(all);
  }

  private List<Operation> stepsSet() {
    List<Operation> all = new ArrayList<>(accumulators.stepsSet());
    all.add(tally.setStep(beside, step.value()));
    return all;
  }

  /** Only those who share a queue need tokens at the start. */
  private Operation initTokens() {
    int count = replicas.initialTokens();
    return count == 0 ? beside.noOp() : tokens.give(beside, step.value(), beside.constant(count));
  }

  /** A worker's training step: adds its gradients, and waits until the model has made a step. */
  Operation train() {
    Ops ready = beside.withControlDependencies(accumulators.added().toArray(new Operation[0]));
    Ops brought = ready.withControlDependencies(tally.bring(ready, localStep.value()));
    Operation[] told = membership.bring(brought, localStep.value()).toArray(new Operation[0]);
    Output token = tokens.take(brought.withControlDependencies(told));
    return localStep.in(inner).assign(token);
  }
}
