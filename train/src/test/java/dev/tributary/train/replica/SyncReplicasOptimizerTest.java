package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.optimizer.MomentumOptimizer;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.testing.TrainingCluster;
import dev.tributary.train.variable.EmbeddingLookup;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SyncReplicasOptimizerTest {
  private static final RunOptions LIMIT = RunOptions.defaults().withTimeout(Duration.ofSeconds(60));
  private static final int ROWS = 4;
  private static final int STEPS = 50;

  @Test
  void training_byThreeWorkers_equalsOneWithTheirBatchesTogether() throws Exception {
    float[] together = trainAlone(3, STEPS);
    float[] shared;
    try (TrainingCluster cluster = TrainingCluster.start(2, 3);
        Workers workers = Workers.start(cluster, 3, 3)) {
      workers.train(List.of(STEPS, STEPS, STEPS));
      shared = workers.weights();
      assertThat(workers.globalStep()).isEqualTo(STEPS);
    }

    assertThat(shared).containsExactly(together, Offset.offset(1e-5f));
  }

  @Test
  void training_whenWorkersRunOutOfInput_goesOnWithTheRest() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 3);
        Workers workers = Workers.start(cluster, 3, 3)) {
      workers.train(List.of(12, 3, 7));

      assertThat(workers.globalStep()).isEqualTo(12);
    }
  }

  @Test
  void localInit_tokensOfAnEarlierRun_areThrownAway() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Workers workers = Workers.start(cluster, 1, 2)) {
      // The second worker brings nothing, and finds a token for each step of the first.
      workers.train(List.of(5, 0));
      assertThat(workers.tokensOf(1)).isEqualTo(5);
      workers.initializeAgain(1);

      assertThat(workers.tokensOf(1)).isZero();
    }
  }

  @Test
  void localInit_stepsThatEndMeanwhile_areNotMissed() {
    SyncReplicasOptimizer optimizer = new SyncReplicasOptimizer(momentum(), 2, 2);
    Model.build(Ops.create(), optimizer);
    Operation assign = optimizer.operations().localInit().controlInputs().get(0);

    // Otherwise the token of a step could be thrown away which the worker does not know of.
    assertThat(assign.input(1).operation().controlInputs())
        .extracting(Operation::type)
        .containsExactly("QueueDequeueManyV2");
  }

  @Test
  void training_withBackupWorkers_needsOnlyTheFirstGradients() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 3);
        Workers workers = Workers.start(cluster, 2, 3)) {
      // The third worker has been started, but never brings a gradient. Its tokens go to the
      // others,
      // who get one of three too late, so that its gradient is dropped.
      workers.train(List.of(12, 12, 0));

      assertThat(workers.globalStep()).isBetween(7L, 12L);
    }
  }

  @Test
  void training_withMoreGradientsThanWorkers_letsEachComputeSeveral() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Workers workers = Workers.start(cluster, 4, 2)) {
      workers.train(List.of(8, 8));

      assertThat(workers.globalStep()).isBetween(3L, 8L);
    }
  }

  @Test
  void applyGradients_withoutGlobalStep_isRefused() {
    Ops tf = Ops.create();
    Variable w = tf.variable("w", tf.constant(1f));
    SyncReplicasOptimizer optimizer = new SyncReplicasOptimizer(new AdamOptimizer(0.1), 1, 1);

    assertThatThrownBy(() -> optimizer.minimize(tf, w.value()))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("global step");
    assertThatThrownBy(optimizer::operations)
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("applyGradients");
  }

  @Test
  void withLiveness_ofWorkersThatBringSeveralGradients_isRefused() {
    SyncReplicasOptimizer optimizer =
        new SyncReplicasOptimizer(new AdamOptimizer(0.1), 4, 2).withLiveness(Liveness.defaults());

    assertThatThrownBy(() -> Model.build(Ops.create(), optimizer))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("needs 4 from 2 workers");
  }

  @Test
  void graph_ofWorker_hasTensorFlowsNamesAndPlaces() {
    Ops tf = Ops.create();
    Model model =
        Model.build(
            tf.withDeviceFunction(ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:1")),
            new SyncReplicasOptimizer(new AdamOptimizer(0.1), 2, 2));

    List<String> shared =
        tf.graph().operations().stream()
            .filter(op -> op.attributes().has("shared_name"))
            .filter(op -> !op.type().equals("VarHandleOp"))
            .map(op -> op.attributes().string("shared_name"))
            .toList();
    assertThat(shared)
        .containsExactlyInAnyOrder(
            "w:0/grad_accum",
            "b:0/grad_accum",
            "table:0/grad_accum",
            "sync_rep_gradient_count",
            "sync_token_q_0",
            "sync_token_q_1");
    assertThat(tf.graph().operations())
        .filteredOn(op -> op.name().equals("sync_rep_local_step"))
        .singleElement()
        .satisfies(op -> assertThat(op.device().toString()).isEqualTo("/job:worker/task:1"));
    assertThat(Variables.local(tf.graph())).isEmpty();
    assertThat(Variables.global(tf.graph()))
        .extracting(Variable::name)
        .doesNotContain("replica_clocks", "replica_beats");
    assertThat(model.train.name()).startsWith("sync_replicas/");
  }

  /** The weights after steps with the batches of all workers as one. */
  private static float[] trainAlone(int workers, int steps) {
    Ops tf = Ops.create();
    Model model = Model.build(tf, momentum());
    try (ModelRun run = ModelRun.initialized(tf)) {
      for (int step = 0; step < steps; step++) {
        Batch[] parts = new Batch[workers];
        for (int worker = 0; worker < workers; worker++) {
          parts[worker] = Batch.of(worker, step, 1);
        }
        model.step(run.session(), Batch.joined(parts));
      }
      return run.floats(model.weights);
    }
  }

  private static Optimizer momentum() {
    return new MomentumOptimizer(0.05, 0.9);
  }

  /** A line with a bias and a table of which each batch uses all rows. */
  private record Model(
      Output x, Output y, Output loss, Output weights, Variable globalStep, Operation train) {
    static Model build(Ops tf, Optimizer optimizer) {
      VariableScope scope = VariableScope.of(tf);
      Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, 2));
      Output y = tf.withName("y").placeholder(DataType.FLOAT, Shape.of(-1, 1));
      Variable step = GlobalStep.create(tf);
      Variable w = scope.getVariable("w", Shape.of(2, 1), Initializers.constant(0.3));
      Variable b = scope.getVariable("b", Shape.of(1), Initializers.zeros());
      Variable table = scope.getVariable("table", Shape.of(ROWS, 1), Initializers.zeros());
      Output ids = tf.constant(0, 1, 2, 3);
      Output rows = EmbeddingLookup.of(tf, List.of(table), ids, EmbeddingLookup.Strategy.DIV);
      Output line = tf.biasAdd(tf.matMul(x, w.value()), b.value());
      Output offset = tf.mean(rows, 0, 1);
      Output loss = tf.mean(tf.squaredDifference(tf.add(line, offset), y), 0, 1);
      Operation train = optimizer.minimize(tf, loss, step);
      Output weights =
          tf.concat(0, tf.reshape(w.value(), 2), b.value(), tf.reshape(table.value(), ROWS));
      return new Model(x, y, loss, weights, step, train);
    }

    void step(Session session, Batch batch) {
      try (Tensor xs = Tensor.of(Shape.of(batch.y.length, 2), batch.x);
          Tensor ys = Tensor.of(Shape.of(batch.y.length, 1), batch.y)) {
        session.runner().feed(x, xs).feed(y, ys).target(train).options(LIMIT).run().close();
      }
    }
  }

  /** Points near a line, which follow from the worker and the step. */
  private record Batch(float[] x, float[] y) {
    static Batch of(int worker, int step, int size) {
      Random random = new Random(1000L * worker + step);
      float[] x = new float[2 * size];
      float[] y = new float[size];
      for (int i = 0; i < size; i++) {
        x[2 * i] = (float) random.nextGaussian();
        x[2 * i + 1] = (float) random.nextGaussian();
        y[i] = 2 * x[2 * i] - x[2 * i + 1] + 0.5f;
      }
      return new Batch(x, y);
    }

    static Batch joined(Batch... parts) {
      float[] x = new float[2 * parts.length];
      float[] y = new float[parts.length];
      for (int i = 0; i < parts.length; i++) {
        System.arraycopy(parts[i].x, 0, x, 2 * i, 2);
        y[i] = parts[i].y[0];
      }
      return new Batch(x, y);
    }
  }

  /** Workers with a graph and a session each, the first of which is the chief. */
  private static final class Workers implements AutoCloseable {
    private final List<Model> models = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();
    private final List<SyncOperations> operations = new ArrayList<>();
    private final List<Output> sizes = new ArrayList<>();
    private final Coordinator coordinator = new Coordinator();

    static Workers start(TrainingCluster cluster, int toAggregate, int total) {
      Workers workers = new Workers();
      for (int i = 0; i < total; i++) {
        Ops tf = Ops.create();
        SyncReplicasOptimizer optimizer = new SyncReplicasOptimizer(momentum(), toAggregate, total);
        ReplicaDeviceSetter setter =
            ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:" + i);
        workers.models.add(Model.build(tf.withDeviceFunction(setter), optimizer));
        Operation init = Variables.globalInitializer(tf);
        tf.graph().operations().stream()
            .filter(op -> op.name().endsWith("/sync_token_q_" + workers.sizes.size()))
            .findFirst()
            .ifPresent(
                queue ->
                    workers.sizes.add(
                        tf.scope().operation("QueueSizeV2").input(queue.output(0)).buildOutput()));
        Session session = cluster.session(i, tf.graph());
        workers.sessions.add(session);
        SyncOperations sync = optimizer.operations();
        workers.operations.add(sync);
        if (i == 0) {
          session.run(init);
          session.run(sync.chiefInit());
          SyncRunner.start(sync, session, workers.coordinator);
        } else {
          session.run(sync.localInit());
        }
      }
      return workers;
    }

    /** Trains this many steps at each worker, all at the same time. */
    void train(List<Integer> steps) throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(steps.size());
      try {
        List<Future<Void>> ends = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
          int worker = i;
          Callable<Void> loop =
              () -> {
                for (int step = 0; step < steps.get(worker); step++) {
                  models.get(worker).step(sessions.get(worker), Batch.of(worker, step, 1));
                }
                if (steps.get(worker) > 0) {
                  sessions.get(worker).run(operations.get(worker).leave());
                }
                return null;
              };
          ends.add(threads.submit(loop));
        }
        for (Future<Void> end : ends) {
          end.get(90, TimeUnit.SECONDS);
        }
      } finally {
        threads.shutdownNow();
      }
    }

    void initializeAgain(int worker) {
      sessions.get(worker).run(operations.get(worker).localInit());
    }

    int tokensOf(int worker) {
      Output size = sizes.get(worker);
      try (StepResult result = sessions.get(worker).runner().fetch(size).run()) {
        return result.get(0).intValue();
      }
    }

    float[] weights() {
      try (StepResult result = sessions.get(0).runner().fetch(models.get(0).weights).run()) {
        return result.get(0).toFloats();
      }
    }

    long globalStep() {
      try (StepResult result =
          sessions.get(0).runner().fetch(models.get(0).globalStep.value()).run()) {
        return result.get(0).longValue();
      }
    }

    @Override
    public void close() {
      coordinator.requestStop();
      coordinator.join(List.of(), Duration.ofSeconds(20));
      for (int i = sessions.size() - 1; i >= 0; i--) {
        sessions.get(i).close();
      }
    }
  }
}
