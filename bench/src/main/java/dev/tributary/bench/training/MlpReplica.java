package dev.tributary.bench.training;

import dev.tributary.bench.Model;
import dev.tributary.bench.Timing;
import dev.tributary.bench.TrainingInput;
import dev.tributary.ops.Ops;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.session.ManagedSession;
import dev.tributary.train.session.Supervisor;
import dev.tributary.train.session.SupervisorOptions;
import java.util.List;
import java.util.Optional;

/**
 * One worker's part in training the mlp between graphs, under a supervisor. Owns its session;
 * confined to one thread.
 */
final class MlpReplica implements AutoCloseable {
  private static final Timing TIMING = new Timing(1, 1);

  private final TrainingInput input;
  private final ManagedSession managed;
  private final StepCallable step;
  private float loss;

  /**
   * @param target the worker's own server
   * @param workers how many there are; worker 0 is the chief
   * @param isSync whether they make each step together
   */
  MlpReplica(String target, int task, int workers, boolean isSync) {
    Ops tf =
        Ops.create()
            .withDeviceFunction(
                ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:" + task));
    MlpGraph graph = MlpGraph.build(tf, isSync ? Optional.of(workers) : Optional.empty());
    boolean isChief = task == 0;
    SupervisorOptions options = SupervisorOptions.chief().withChief(isChief);
    managed = Supervisor.of(tf, options).managedSession(target);
    // Not a hook of the supervisor: the tasks are ended in any order, and no worker leaves.
    graph
        .sync()
        .map(sync -> sync.sessionRunHook(isChief))
        .ifPresent(hook -> hook.afterCreateSession(managed.session(), managed.coordinator()));
    step = managed.session().prepare(graph.feeds(), List.of(graph.loss()), List.of(graph.train()));
    input = new TrainingInput(Model.MLP, task);
  }

  /** Trains for that time; examples a second. */
  double trainFor(double seconds) {
    return requireSane(Model.MLP.batch() * TIMING.rate(seconds, this::step));
  }

  /** Makes so many steps, as synchronous workers must, all the same number; examples a second. */
  double trainSteps(int steps) {
    long start = System.nanoTime();
    for (int i = 0; i < steps; i++) {
      step();
    }
    return requireSane((double) steps * Model.MLP.batch() / (System.nanoTime() - start) * 1e9);
  }

  private void step() {
    try (StepResult result = step.run(input.next())) {
      loss = result.get(0).getFloat(0);
    }
  }

  private double requireSane(double rate) {
    if (!Float.isFinite(loss)) {
      throw new IllegalStateException("training went astray: the loss is " + loss);
    }
    return rate;
  }

  @Override
  public void close() {
    step.close();
    managed.close();
    input.close();
  }
}
