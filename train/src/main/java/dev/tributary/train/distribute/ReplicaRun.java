package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One call of a function for each replica of a strategy. The replicas run one after the other, each
 * as far as its next merge call; then the merge runs, and they continue.
 */
final class ReplicaRun<R> implements MergePoint {
  private final Strategy strategy;
  private final Distribution distribution;
  private final Ops tf;
  private final List<ReplicaContext> contexts = new ArrayList<>();
  private final List<ReplicaThread<R>> threads = new ArrayList<>();

  ReplicaRun(Strategy strategy, Ops tf) {
    this.strategy = strategy;
    this.tf = tf;
    this.distribution = Distribution.of(tf.graph());
    Trace trace = new Trace();
    for (int i = 0; i < strategy.localReplicas(); i++) {
      Ops named = i == 0 ? tf : tf.withSubScope("replica_" + i);
      contexts.add(new ReplicaContext(strategy, strategy.onReplica(named, i), i, trace, this));
    }
  }

  List<R> results(Function<ReplicaContext, R> program) {
    return contexts.size() == 1 ? List.of(alone(program)) : inTurns(program);
  }

  /** A single replica never waits for another one, and needs no thread. */
  private R alone(Function<ReplicaContext, R> program) {
    try {
      distribution.switchTo(Optional.of(contexts.get(0)));
      return program.apply(contexts.get(0));
    } finally {
      distribution.switchTo(Optional.empty());
    }
  }

  private List<R> inTurns(Function<ReplicaContext, R> program) {
    for (ReplicaContext context : contexts) {
      threads.add(
          new ReplicaThread<>(
              "tributary-replica-" + context.replicaId(), () -> program.apply(context)));
    }
    try {
      while (advance()) {
        merge();
      }
      return threads.stream().map(ReplicaThread::result).toList();
    } finally {
      distribution.switchTo(Optional.empty());
      threads.forEach(ReplicaThread::end);
    }
  }

  /** Returns whether all replicas wait in a merge call; otherwise all have ended. */
  private boolean advance() {
    for (int i = 0; i < threads.size(); i++) {
      distribution.switchTo(Optional.of(contexts.get(i)));
      threads.get(i).resume();
      requireInStep(i);
    }
    distribution.switchTo(Optional.empty());
    return !threads.get(0).hasEnded();
  }

  private void requireInStep(int i) {
    if (threads.get(i).hasEnded() != threads.get(0).hasEnded()) {
      int ended = threads.get(i).hasEnded() ? i : 0;
      throw TributaryException.invalidArgument(
          "replica %d has ended while replica %d waits in a merge call (an all-reduce, the update"
              + " of an optimizer, or the assignment of a variable): all replicas must make the"
              + " same merge calls",
          ended, ended == i ? 0 : i);
    }
  }

  private void merge() {
    List<MergeRequest> requests = threads.stream().map(ReplicaThread::request).toList();
    List<?> answers = MergeRequest.answer(new CrossReplicaContext(strategy, tf), requests);
    for (int i = 0; i < threads.size(); i++) {
      threads.get(i).answer(answers.get(i));
    }
  }

  @Override
  @SuppressWarnings("unchecked") // The arguments are those of the same call in each replica.
  public <A, M> M merge(
      ReplicaContext replica,
      A argument,
      BiFunction<CrossReplicaContext, PerReplica<A>, PerReplica<M>> merge) {
    if (distribution.replica().filter(present -> present == replica).isEmpty()) {
      throw TributaryException.failedPrecondition(
          "%s makes a merge call while it does not run: use a replica in its own function only",
          replica);
    }
    MergeRequest request =
        new MergeRequest(argument, (cross, all) -> merge.apply(cross, (PerReplica<A>) all));
    return (M) (threads.isEmpty() ? mergedAlone(replica, request) : merged(replica, request));
  }

  private Object merged(ReplicaContext replica, MergeRequest request) {
    return threads.get(replica.replicaId()).pause(request);
  }

  private Object mergedAlone(ReplicaContext replica, MergeRequest request) {
    distribution.switchTo(Optional.empty());
    try {
      return MergeRequest.answer(new CrossReplicaContext(strategy, tf), List.of(request)).get(0);
    } finally {
      distribution.switchTo(Optional.of(replica));
    }
  }
}
