package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.train.model.Summaries;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.saver.SaverOptions;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The operations and the saver that a training session needs of a graph. Those not set are found in
 * the graph's collections, or created and added there, when the scaffold is completed. Immutable.
 *
 * @param initOp initializes the global variables
 * @param initFn called after {@code initOp}, for initialization that is not an operation
 * @param readyOp the names of uninitialized variables
 * @param readyForLocalInitOp the same for the variables that {@code localInitOp} needs
 * @param localInitOp initializes local variables and tables of this process
 * @param summaryOp all summaries merged
 * @param saver saves and restores the global variables
 */
public record Scaffold(
    Optional<Operation> initOp,
    Optional<Consumer<Session>> initFn,
    Optional<Output> readyOp,
    Optional<Output> readyForLocalInitOp,
    Optional<Operation> localInitOp,
    Optional<Output> summaryOp,
    Optional<Saver> saver) {
  /** Returns a scaffold of which nothing is set. */
  public static Scaffold defaults() {
    return new Scaffold(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public Scaffold withInitOp(Operation operation) {
    return new Scaffold(
        Optional.of(operation),
        initFn,
        readyOp,
        readyForLocalInitOp,
        localInitOp,
        summaryOp,
        saver);
  }

  public Scaffold withInitFn(Consumer<Session> function) {
    return new Scaffold(
        initOp, Optional.of(function), readyOp, readyForLocalInitOp, localInitOp, summaryOp, saver);
  }

  public Scaffold withReadyOp(Operand missing) {
    return new Scaffold(
        initOp,
        initFn,
        Optional.of(missing.asOutput()),
        readyForLocalInitOp,
        localInitOp,
        summaryOp,
        saver);
  }

  public Scaffold withReadyForLocalInitOp(Operand missing) {
    return new Scaffold(
        initOp, initFn, readyOp, Optional.of(missing.asOutput()), localInitOp, summaryOp, saver);
  }

  public Scaffold withLocalInitOp(Operation operation) {
    return new Scaffold(
        initOp, initFn, readyOp, readyForLocalInitOp, Optional.of(operation), summaryOp, saver);
  }

  public Scaffold withSummaryOp(Operand summary) {
    return new Scaffold(
        initOp,
        initFn,
        readyOp,
        readyForLocalInitOp,
        localInitOp,
        Optional.of(summary.asOutput()),
        saver);
  }

  public Scaffold withSaver(Saver newSaver) {
    return new Scaffold(
        initOp,
        initFn,
        readyOp,
        readyForLocalInitOp,
        localInitOp,
        summaryOp,
        Optional.of(newSaver));
  }

  /**
   * Completes this scaffold for a graph that is complete otherwise. Later calls return the same
   * pieces. There is no saver if there are no variables, and no summary if there are none.
   */
  public Scaffold completed(Ops tf) {
    Scaffold operations = withOperations(tf);
    Optional<Saver> itsSaver =
        saver.or(
            () ->
                found(tf.graph(), GraphKeys.SAVERS, Saver.class)
                    .or(() -> newSaver(tf, SaverOptions.defaults().withSharding())));
    return itsSaver.map(operations::withSaver).orElse(operations);
  }

  /** Completes all pieces but the saver. */
  Scaffold withOperations(Ops tf) {
    Graph graph = tf.graph();
    Operation init =
        initOp.orElseGet(
            () ->
                foundOrMade(
                    graph,
                    GraphKeys.INIT_OP,
                    Operation.class,
                    () -> Variables.globalInitializer(tf)));
    Output ready =
        readyOp.orElseGet(
            () ->
                foundOrMade(
                    graph,
                    GraphKeys.READY_OP,
                    Output.class,
                    () -> Variables.reportUninitialized(tf)));
    Output readyForLocalInit =
        readyForLocalInitOp.orElseGet(
            () ->
                foundOrMade(
                    graph,
                    GraphKeys.READY_FOR_LOCAL_INIT_OP,
                    Output.class,
                    () -> Variables.reportUninitialized(tf, Variables.global(graph))));
    Operation localInit =
        localInitOp.orElseGet(
            () ->
                foundOrMade(graph, GraphKeys.LOCAL_INIT_OP, Operation.class, () -> localInit(tf)));
    return new Scaffold(
        Optional.of(init),
        initFn,
        Optional.of(ready),
        Optional.of(readyForLocalInit),
        Optional.of(localInit),
        summaryOp.or(() -> summaries(tf)),
        saver);
  }

  /** Returns the setup of a completed scaffold for a session manager, with the default waits. */
  SessionSetup setup() {
    SessionSetup empty = SessionSetup.empty();
    return new SessionSetup(
        initOp,
        initFn,
        localInitOp,
        readyOp,
        readyForLocalInitOp,
        saver,
        empty.startsOver(),
        empty.recoveryWait(),
        empty.maxWait());
  }

  private static Optional<Saver> newSaver(Ops tf, SaverOptions options) {
    if (Variables.global(tf.graph()).isEmpty()) {
      return Optional.empty();
    }
    Saver made = Saver.of(tf.graph(), options);
    tf.graph().addToCollection(GraphKeys.SAVERS, made);
    return Optional.of(made);
  }

  private static Optional<Output> summaries(Ops tf) {
    Optional<Output> found = found(tf.graph(), GraphKeys.SUMMARY_OP, Output.class);
    if (found.isPresent()) {
      return found;
    }
    Optional<Output> merged = Summaries.mergeAll(tf);
    merged.ifPresent(all -> tf.graph().addToCollection(GraphKeys.SUMMARY_OP, all));
    return merged;
  }

  private static Operation localInit(Ops tf) {
    List<Operation> all = new ArrayList<>();
    Variables.local(tf.graph()).forEach(variable -> all.add(variable.initializer()));
    tf.graph()
        .collection(GraphKeys.TABLE_INITIALIZERS)
        .forEach(initializer -> all.add((Operation) initializer));
    return tf.withName("local_init").group(all);
  }

  private static <T> T foundOrMade(Graph graph, String key, Class<T> type, Supplier<T> maker) {
    Optional<T> found = found(graph, key, type);
    if (found.isPresent()) {
      return found.get();
    }
    T made = maker.get();
    graph.addToCollection(key, made);
    return made;
  }

  private static <T> Optional<T> found(Graph graph, String key, Class<T> type) {
    List<Object> elements = graph.collection(key);
    if (elements.size() > 1) {
      throw TributaryException.failedPrecondition(
          "the graph's collection '%s' has %d elements, where a scaffold expects one; give it the"
              + " one to use",
          key, elements.size());
    }
    return elements.stream().findFirst().map(type::cast);
  }
}
