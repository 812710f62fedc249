package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.internal.LocalScope;
import dev.tributary.train.internal.SharedState;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The part of a graph that {@link SyncReplicasOptimizer} adds. Confined to the thread that builds
 * the graph.
 */
final class SyncGraph {
  private static final String LOCAL_STEP = "sync_rep_local_step";

  /** The clock of a worker that has not added gradients yet. */
  private static final long NOTHING_ADDED = -1;

  private final Ops inner;
  private final Ops beside;
  private final Replicas replicas;
  private final Optional<Liveness> liveness;
  private final Variable step;
  private final Variable localStep;
  private final Membership membership;
  private final GradientCounter counter;
  private final GradientAccumulators accumulators;
  private final TokenQueues queues;
  private final Output required;
  private final Output tokens;
  private final Output taken;

  /**
   * @param own the index of this worker
   * @param liveness if empty, dead workers are waited for
   */
  SyncGraph(
      Ops tf,
      String name,
      Replicas replicas,
      int own,
      Optional<Liveness> liveness,
      List<GradientAndVariable> gradients,
      Variable step) {
    if (liveness.isPresent() && replicas.shareTokens()) {
      throw TributaryException.invalidArgument(
          "%s: dead workers can only be detected if each computes one gradient for a step, but a"
              + " step needs %d from %d workers",
          name, replicas.toAggregate(), replicas.total());
    }
    this.inner = tf.withSubScope(name);
    this.beside = SharedState.beside(inner, step);
    this.replicas = replicas;
    this.liveness = liveness;
    this.step = step;
    // Not one of the local variables, which every session initializes: only the hook does, so that
    // the steps of a worker without it fail. They would wait for tokens with nobody to end the
    // wait.
    this.localStep =
        SharedState.variable(
            LocalScope.of(inner),
            LOCAL_STEP,
            step.type(),
            Shape.scalar(),
            local -> local.constant(step.type(), 0));
    this.membership = new Membership(beside, replicas.total(), own, NOTHING_ADDED);
    this.counter = GradientCounter.of(beside);
    this.required =
        beside
            .withName("required")
            .array
            .placeholderWithDefault(beside.constant(replicas.required(0)), Shape.scalar());
    // A step that may be cancelled must not have taken anything while it waits. Workers add to the
    // counter last, so once that has enough, no other accumulator makes the step wait.
    this.taken = counter.take(beside, required);
    this.accumulators =
        GradientAccumulators.of(
            inner,
            inner.withControlDependencies(taken.operation()),
            gradients,
            new GradientAccumulators.Steps(localStep.value(), step.value()),
            required);
    this.queues = TokenQueues.of(beside, step.type(), replicas, own);
    int each = replicas.tokens(0) / queues.size();
    Output usual = beside.fill(beside.constant(new int[] {queues.size()}), beside.constant(each));
    this.tokens =
        beside.withName("tokens").array.placeholderWithDefault(usual, Shape.of(queues.size()));
  }

  /**
   * Builds the operations that chief and workers run beside their training steps.
   *
   * @param update applies the means of the accumulators and increments the global step, in the
   *     scope of its device
   */
  SyncOperations operations(BiFunction<Ops, List<GradientAndVariable>, Operation> update) {
    Ops after = beside.withControlDependencies(update.apply(beside, accumulators.means()));
    Output next = step.in(after).read();
    Operation recorded = counter.record(after, taken, after.math.shift(next, -1));
    Operation sync = queues.enqueue(after.withControlDependencies(recorded), next, tokens);

    Operation localInit = localInit();
    List<Variable> shared = new ArrayList<>(counter.variables());
    shared.addAll(membership.variables());
    return new SyncOperations(
        step.value(),
        chiefInit(localInit),
        workerInit(localInit),
        Variables.reportUninitialized(inner, Variables.global(inner.graph())),
        Variables.reportUninitialized(inner, shared),
        membership.setClock(beside, Membership.clock(beside, Membership.ABSENT)),
        queues.enqueueOwn(beside, step.value()),
        chief(sync),
        counter.staleness(beside));
  }

  private ChiefOperations chief(Operation sync) {
    List<Output> counts = new ArrayList<>(accumulators.counts());
    counts.add(counter.pending(beside));
    Operation[] counted = counts.stream().map(Output::operation).toArray(Operation[]::new);
    Ops clocksRead = beside.withControlDependencies(membership.clocks().operation());
    return new ChiefOperations(
        replicas,
        liveness,
        membership,
        initTokens(),
        sync,
        required,
        tokens,
        repeat(),
        end(),
        step.in(clocksRead).read(),
        counts,
        step.in(beside.withControlDependencies(counted)).read());
  }

  /**
   * Reads the step after older tokens are gone. A token that is removed was enqueued after its step
   * was made, so this worker has seen that step and does not wait for it.
   */
  private Operation localInit() {
    Ops cleared = beside.withControlDependencies(queues.clear(beside));
    return localStep.in(inner).assign(step.in(cleared).read());
  }

  private Operation chiefInit(Operation localInit) {
    Operation counterInit = counter.init(beside, step.value());
    // Last, since the local initialization of a worker fails before this one is done.
    Operation membershipInit =
        membership.resetUnlessInUse(beside.withControlDependencies(counterInit));
    List<Operation> all = new ArrayList<>(accumulators.stepsSet());
    all.add(localInit);
    all.add(membershipInit);
    all.addAll(join(beside.withControlDependencies(membershipInit)));
    return inner.withName("chief_init").group(all);
  }

  private Operation workerInit(Operation localInit) {
    List<Operation> all = new ArrayList<>();
    all.add(localInit);
    all.addAll(join(beside));
    return inner.withName("local_init").group(all);
  }

  private List<Operation> join(Ops tf) {
    return List.of(
        membership.setClock(tf, Membership.clock(tf, NOTHING_ADDED)), membership.beat(tf));
  }

  /** Asks for gradients of the global step again, of which no worker has added any. */
  private Operation repeat() {
    List<Operation> reset = new ArrayList<>(accumulators.stepsSet());
    reset.add(counter.setStep(beside, step.value()));
    reset.add(membership.setPresentClocks(beside, Membership.clock(beside, NOTHING_ADDED)));
    Ops ready = beside.withControlDependencies(reset.toArray(new Operation[0]));
    return queues.enqueue(ready, step.in(ready).read(), tokens);
  }

  /** Marks the end of training, and then ends the steps of workers that still wait for a token. */
  private Operation end() {
    Ops marked =
        beside.withControlDependencies(
            membership.setClock(beside, Membership.clock(beside, Membership.ENDED)));
    return queues.enqueue(marked, step.in(marked).read(), tokens);
  }

  /** Only workers that share a queue need tokens at the start. */
  private Operation initTokens() {
    int count = replicas.initialTokens();
    return count == 0
        ? beside.noOp()
        : queues.enqueue(beside, step.value(), beside.constant(new int[] {count}));
  }

  /** Builds a worker's training step: adds its gradients and waits for a step of the model. */
  Operation train() {
    Ops added = beside.withControlDependencies(accumulators.added().toArray(new Operation[0]));
    Ops counted = added.withControlDependencies(counter.add(added, localStep.value()));
    Ops ticked = counted.withControlDependencies(membership.setClock(counted, localStep.value()));
    return localStep.in(inner).assign(queues.dequeue(ticked));
  }
}
