package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.internal.SharedState;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The model in the memory of the tasks that hold it. A chief that lost its session, or was started
 * again, calls {@link #isWhole} before it restores a checkpoint, since the values that the tasks
 * hold are newer. Confined to one thread.
 */
final class LiveModel {
  /*
   * All global variables having a value does not make a model whole. They may be another training's,
   * which used the same tasks in the meantime, or a mixture, if a chief died while it restored a
   * checkpoint. So the chief draws a number, the mark, when it has initialised or restored the
   * model, and keeps it in a variable beside the model, in memory, and in the folder of the
   * checkpoints. The variable is set to NONE before the model is changed, and to a new mark after
   * that. A task that was restarted has no variables, so incarnations need not be compared.
   */
  private static final Logger LOG = LoggerFactory.getLogger(LiveModel.class);
  private static final String VARIABLE = "live_model_mark";
  private static final String COLLECTION = "live_model";
  private static final String FILE = "live_model";
  private static final long NONE = 0;

  private final Operations operations;
  private final Optional<Path> file;
  private final boolean startsOver;
  private long known = NONE;

  /**
   * The operations of a live model in a graph.
   *
   * @param mark read only if {@code missing} is empty
   * @param set assigns {@code newMark}, which is fed
   * @param missing the names of uninitialized variables among the global ones and the mark
   */
  private record Operations(
      Output mark, Output newMark, Operation set, Output missing, Optional<Output> globalStep) {
    static Operations build(Ops tf, Variable anchor) {
      Ops beside = SharedState.beside(tf, anchor);
      Variable variable = SharedState.scalar(beside, VARIABLE, DataType.INT64);
      Output newMark = beside.placeholder(DataType.INT64, Shape.scalar());
      List<Variable> all = new ArrayList<>(Variables.global(tf.graph()));
      all.add(variable);
      return new Operations(
          variable.value(),
          newMark,
          variable.in(beside).assign(newMark),
          Variables.reportUninitialized(tf, all),
          GlobalStep.find(tf.graph()).map(Variable::value));
    }
  }

  private LiveModel(Operations operations, Optional<Path> folder, boolean startsOver) {
    this.operations = operations;
    this.file = folder.map(f -> f.resolve(FILE));
    this.startsOver = startsOver;
  }

  /**
   * Adds the operations to a graph that is complete otherwise, unless it has them; empty if the
   * graph has no variables.
   *
   * @param folder the folder in which a chief that is started again finds the mark
   * @param startsOver whether to ignore the model of an earlier process
   */
  static Optional<LiveModel> of(Ops tf, Optional<Path> folder, boolean startsOver) {
    Graph graph = tf.graph();
    if (graph.collection(COLLECTION).isEmpty()) {
      GlobalStep.find(graph)
          .or(() -> Variables.global(graph).stream().findFirst())
          .ifPresent(anchor -> graph.addToCollection(COLLECTION, Operations.build(tf, anchor)));
    }
    return graph.collection(COLLECTION).stream()
        .findFirst()
        .map(operations -> new LiveModel((Operations) operations, folder, startsOver));
  }

  /**
   * Returns whether the tasks hold all of the model that this chief, or the one before it, has
   * trained.
   */
  boolean isWhole(Session session) {
    long expected = known != NONE || startsOver ? known : file.map(LiveModel::read).orElse(NONE);
    if (expected == NONE || hasMissing(session)) {
      return false;
    }
    try (StepResult result = session.runner().fetch(operations.mark).run()) {
      if (result.get(0).longValue() != expected) {
        return false;
      }
    }
    known = expected;
    LOG.info("the tasks still hold the model{}; training continues with it", atStep(session));
    return true;
  }

  /** Notes that the model is about to change by other means than training. */
  void discard(Session session) {
    set(session, NONE);
    known = NONE;
  }

  /** Notes that the model was initialised or restored. */
  void claim(Session session) {
    long drawn = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    file.ifPresent(path -> write(path, drawn));
    set(session, drawn);
    known = drawn;
  }

  private boolean hasMissing(Session session) {
    try (StepResult result = session.runner().fetch(operations.missing).run()) {
      return result.get(0).toStrings().length > 0;
    }
  }

  private void set(Session session, long value) {
    try (Tensor tensor = Tensor.scalar(value)) {
      session.runner().feed(operations.newMark, tensor).target(operations.set).run().close();
    }
  }

  private String atStep(Session session) {
    if (operations.globalStep.isEmpty()) {
      return "";
    }
    try (StepResult result = session.runner().fetch(operations.globalStep.get()).run()) {
      return " at step " + result.get(0).getIndex(0);
    }
  }

  /** Reads the mark; a file that cannot be read, or is not a mark, counts as none. */
  private static long read(Path file) {
    try {
      return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : NONE;
    } catch (IOException | NumberFormatException e) {
      LOG.warn(
          "{} does not contain the mark of a model; the model is restored or initialized", file);
      return NONE;
    }
  }

  private static void write(Path file, long value) {
    try {
      Files.createDirectories(file.getParent());
      Path part = file.resolveSibling(FILE + ".part");
      Files.writeString(part, value + "\n");
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw TributaryException.failedPrecondition(
          "%s cannot be written: %s. Check that the folder exists and can be written", file, e);
    }
  }
}
