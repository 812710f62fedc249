package dev.tributary.train.saver;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.internal.bundle.CheckpointState;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.PartFile;
import dev.tributary.internal.time.Ticker;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.variable.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Saves variables to checkpoints and restores them, in TensorFlow's format.
 *
 * <pre>{@code
 * Saver saver = Saver.of(tf.graph());
 * Path checkpoint = saver.save(session, Path.of("logs/model.ckpt"), step); // logs/model.ckpt-100
 * saver.restoreLatest(session, Path.of("logs"));
 * }</pre>
 *
 * A checkpoint is written completely or not at all. Training steps continue while one is written:
 * they wait for a copy of a variable at most. Any thread may save and restore.
 */
public final class Saver {
  /** A save is cheap if it takes no more than one part in so many. */
  private static final int CHEAP_SHARE = 20;

  private final SaverGraph graph;
  private final SaverOptions options;
  private final CheckpointRetention retention;
  private final Ticker clock;

  /** The checkpoint that the variables were saved to or restored from last, as an absolute path. */
  private volatile Optional<Path> current = Optional.empty();

  private volatile Optional<Saved> lastSave = Optional.empty();

  private record Saved(long beganNanos, long endedNanos) {}

  private Saver(SaverGraph graph, SaverOptions options, Ticker clock) {
    this.graph = graph;
    this.options = options;
    this.clock = clock;
    this.retention = new CheckpointRetention(options);
  }

  /**
   * A saver of all global variables so far, and of the iterators that are {@code saveable}, with
   * default options.
   */
  public static Saver of(Graph graph) {
    return of(graph, SaverOptions.defaults());
  }

  /**
   * A saver of all global variables so far, and of the iterators that are {@code saveable}. An
   * initializable iterator must be initialised before it is restored.
   */
  public static Saver of(Graph graph, SaverOptions options) {
    List<Saveable> variables = new ArrayList<>();
    for (Variable variable : Variables.global(graph)) {
      variables.add(SavedVariable.of(variable.name(), variable));
    }
    variables.addAll(SavedIterator.of(graph));
    return build(graph, variables, options);
  }

  /** A saver of these variables by their names in the checkpoint. */
  public static Saver of(Graph graph, Map<String, Variable> variables, SaverOptions options) {
    List<Saveable> saved = new ArrayList<>();
    variables.forEach((name, variable) -> saved.add(SavedVariable.of(name, variable)));
    return build(graph, saved, options);
  }

  /** A saver whose operations are in the graph already. */
  static Saver existing(SaverGraph operations, SaverOptions options) {
    return new Saver(operations, options, Ticker.SYSTEM);
  }

  private static Saver build(Graph graph, List<Saveable> variables, SaverOptions options) {
    if (variables.isEmpty()) {
      throw TributaryException.invalidArgument("a saver needs variables, the graph has none");
    }
    Ops tf = new Ops(graph.scope());
    SaverGraph operations =
        options.sharded() ? SaverGraph.sharded(tf, variables) : SaverGraph.unsharded(tf, variables);
    return new Saver(operations, options, Ticker.SYSTEM);
  }

  /** The same saver with the time of a test. */
  Saver withClock(Ticker ticker) {
    return new Saver(graph, options, ticker);
  }

  /** The latest checkpoint of a folder, if its {@code checkpoint} file names one that is there. */
  public static Optional<Path> latestCheckpoint(Path folder) {
    return CheckpointState.latestCheckpoint(folder);
  }

  /** Saves to {@code prefix-globalStep}. */
  public Path save(Session session, Path prefix, long globalStep) {
    return save(session, withStep(prefix, globalStep));
  }

  private static Path withStep(Path prefix, long globalStep) {
    return prefix.resolveSibling(prefix.getFileName() + "-" + globalStep);
  }

  /**
   * Returns whether {@code prefix-globalStep} is the checkpoint that was saved, restored or
   * recovered last, so that saving it again at this step would write what is there already.
   */
  public boolean isCurrent(Path prefix, long globalStep) {
    return current.equals(Optional.of(normal(withStep(prefix, globalStep))));
  }

  private static Path normal(Path prefix) {
    return prefix.toAbsolutePath().normalize();
  }

  /**
   * Saves to a checkpoint of this very prefix, with the graph beside it, makes it the latest of its
   * folder, and deletes the oldest if there are too many.
   */
  public Path save(Session session, Path prefix) {
    Path folder = prefix.toAbsolutePath().getParent();
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw FileFailure.of("make a folder for checkpoints", folder, e);
    }
    long began = clock.nanos();
    try (Tensor name = Tensor.scalar(prefix.toString());
        StepResult done = session.runner().feed(graph.filename(), name).fetch(graph.save()).run()) {
      PartFile.write(BundleFiles.withSuffix(prefix, ".meta"), exportMetaGraph(session.graph()));
      retention.add(prefix);
      current = Optional.of(normal(prefix));
      lastSave = Optional.of(new Saved(began, clock.nanos()));
      return prefix;
    }
  }

  /**
   * Sets the variables to what a checkpoint holds. The tasks that hold the variables read it: its
   * files need not be visible here.
   */
  public void restore(Session session, Path prefix) {
    current = Optional.empty();
    try (Tensor name = Tensor.scalar(prefix.toString())) {
      session.runner().feed(graph.filename(), name).target(graph.restore()).run().close();
    }
    current = Optional.of(normal(prefix));
  }

  /**
   * Restores the newest intact checkpoint of a folder, and from then on deletes those that are kept
   * there in their turn. A warning names newer ones that were skipped, and why: files that are
   * missing, too short or damaged, and a {@code checkpoint} file that is missing or cannot be
   * understood.
   *
   * <p>If this process sees no file of any checkpoint that the {@code checkpoint} file names, the
   * tasks that hold the variables try to read them.
   *
   * @return the prefix of what was restored; empty if the folder has no checkpoint. If it has some
   *     but none can be used, that is a FAILED_PRECONDITION which says what is wrong with each
   */
  public Optional<Path> restoreLatest(Session session, Path folder) {
    NewestCheckpoint newest = NewestCheckpoint.of(folder);
    Optional<Path> restored = newest.restore(prefix -> restore(session, prefix));
    restored.ifPresent(prefix -> retention.recover(newest.kept(options.maxToKeep())));
    return restored;
  }

  /** The checkpoints that this saver knows of, the oldest first. */
  public List<Path> lastCheckpoints() {
    return retention.lastCheckpoints();
  }

  /**
   * Takes over the checkpoints of an earlier run in this folder, so that they are deleted in their
   * turn: those that the {@code checkpoint} file names, or else the newest ones that are intact.
   * The variables are assumed to be as in the last one if the global step is the same.
   */
  public void recoverLastCheckpoints(Path folder) {
    adopt(folder);
    List<Path> kept = lastCheckpoints();
    current = kept.isEmpty() ? Optional.empty() : Optional.of(normal(kept.get(kept.size() - 1)));
  }

  /**
   * Begins a new run in a folder that may hold checkpoints of another: they are deleted in their
   * turn when there are new ones, and none of them is taken for one of this run.
   */
  public void startOver(Path folder) {
    adopt(folder);
    current = Optional.empty();
  }

  private void adopt(Path folder) {
    retention.recover(NewestCheckpoint.of(folder).kept(options.maxToKeep()));
  }

  /** Returns whether this saver has saved a checkpoint. */
  public boolean hasSaved() {
    return lastSave.isPresent();
  }

  /**
   * Returns whether a save now would leave at least nineteen twentieths of the time without one, if
   * it took as long as the last one did.
   */
  public boolean isCheap() {
    return lastSave.isEmpty()
        || clock.nanos() - lastSave.get().beganNanos
            >= CHEAP_SHARE * (lastSave.get().endedNanos - lastSave.get().beganNanos);
  }

  public SaverOptions options() {
    return options;
  }

  /** The prefix of a checkpoint, to be fed: {@code filename_tensor_name} of a SaverDef. */
  public Output filenameTensor() {
    return graph.filename();
  }

  /** Saves when fetched: {@code save_tensor_name} of a SaverDef. */
  public Output saveTensor() {
    return graph.save();
  }

  /** Restores when run: {@code restore_op_name} of a SaverDef. */
  public Operation restoreOp() {
    return graph.restore();
  }

  /**
   * Returns the bytes of a MetaGraphDef of a graph and this saver, from which TensorFlow's {@code
   * import_meta_graph} builds the model again. Each checkpoint has one in its file {@code .meta}.
   */
  public byte[] exportMetaGraph(Graph graph) {
    return MetaGraphs.toProto(graph, this).toByteArray();
  }
}
