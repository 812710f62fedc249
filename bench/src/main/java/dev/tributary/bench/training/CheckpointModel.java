package dev.tributary.bench.training;

import dev.tributary.bench.Checks;
import dev.tributary.bench.Model;
import dev.tributary.bench.TrainingInput;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.saver.SaverOptions;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The mlp beside large tables, all on parameter servers, with a sharded saver. Owns its session.
 * One thread trains, another may save and restore at the same time.
 */
final class CheckpointModel implements AutoCloseable {
  private static final int TABLE_MEBIBYTES = 16;
  private static final Shape TABLE = Shape.of(4096, TABLE_MEBIBYTES * 64);

  private final TrainingInput input = new TrainingInput(Model.MLP, 0);
  private final Saver saver;
  private final Output probe;
  private final Operation clearing;
  private final Session session;
  private final StepCallable step;

  /**
   * @param target a worker's server; it is worker 0
   * @param mebibytes of all tables together
   */
  CheckpointModel(String target, int parameterServers, int mebibytes) {
    Ops tf =
        Ops.create()
            .withDeviceFunction(
                ReplicaDeviceSetter.of(parameterServers).withWorkerDevice("/job:worker/task:0"));
    MlpGraph mlp = MlpGraph.build(tf, Optional.empty());
    List<Variable> tables = new ArrayList<>();
    VariableScope scope = VariableScope.of(tf).withInitializer(Initializers.randomUniform(-1, 1));
    for (int i = 0; i < mebibytes / TABLE_MEBIBYTES; i++) {
      tables.add(scope.open("table" + i).getVariable("rows", TABLE));
    }
    Variable first = tables.get(0);
    Ops beside = tf.colocatedWith(first.handle().operation());
    probe = beside.sum(first.value(), 0, 1);
    clearing = first.assign(beside.zerosLike(first.value()));
    saver = Saver.of(tf.graph(), SaverOptions.defaults().withSharding().withMaxToKeep(1));
    Operation init = Variables.initializer(tf, Variables.global(tf.graph()));
    session = Session.open(target, tf.graph());
    session.run(init);
    step = session.prepare(mlp.feeds(), List.of(mlp.loss()), List.of(mlp.train()));
  }

  void train() {
    step.run(input.next()).close();
  }

  void save(Path prefix) {
    saver.save(session, prefix);
  }

  void restore(Path prefix) {
    saver.restore(session, prefix);
  }

  /** The sum of one table. */
  float probe() {
    try (StepResult result = session.runner().fetch(probe).run()) {
      return result.get(0).getFloat(0);
    }
  }

  /** Loses one table's values. */
  void forget() {
    session.run(clearing);
    Checks.equal("a cleared table", probe(), 0);
  }

  @Override
  public void close() {
    step.close();
    session.close();
    input.close();
  }
}
