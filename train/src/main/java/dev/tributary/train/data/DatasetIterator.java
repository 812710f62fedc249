package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.variable.GraphKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An iterator of a graph. Each step that runs the node of {@link #next} takes one element; behind
 * the last one it fails with OUT_OF_RANGE.
 *
 * <pre>{@code
 * DatasetIterator<Examples> input = train.initializableIterator(tf);
 * Examples batch = input.next(); // Once, not in the loop.
 * session.run(input.initializer());
 * }</pre>
 *
 * <p>An iterator lives on the task where its node is; its datasets run there, too. Confined to one
 * thread, as the graph's building is.
 */
public final class DatasetIterator<E> {
  private final Ops tf;
  private final Output resource;
  private final ElementSpec<E> spec;
  private final Optional<Operation> initializer;

  private DatasetIterator(
      Ops tf, Output resource, ElementSpec<E> spec, Optional<Operation> initializer) {
    this.tf = tf;
    this.resource = resource;
    this.spec = spec;
    this.initializer = initializer;
  }

  static <E> DatasetIterator<E> oneShot(Ops tf, Dataset<E> dataset) {
    Building.Traced<E> factory =
        Building.in(tf)
            .trace(
                "dataset",
                List.of(),
                (inside, none) -> {
                  Built<E> built = dataset.build(inside);
                  return new Flattened<>(built.spec(), List.of(built.variant()));
                });
    if (!factory.captures().isEmpty()) {
      throw TributaryException.invalidArgument(
          "%s uses %s, which a one-shot iterator cannot: use initializableIterator, and run its"
              + " initializer",
          dataset, factory.captures().stream().map(Output::name).toList());
    }
    Output resource =
        Building.described(
                tf.scope()
                    .operation("OneShotIterator")
                    .attr("dataset_factory", factory.attribute()),
                "output_types",
                factory.result())
            .buildOutput();
    return new DatasetIterator<>(tf, resource, factory.result(), Optional.empty());
  }

  static <E> DatasetIterator<E> initializable(Ops tf, Dataset<E> dataset, String sharedName) {
    Built<E> built = dataset.build(Building.in(tf));
    Ops beside = tf.colocatedWith(built.variant().operation());
    Output resource = resource(beside, built.spec(), sharedName);
    Operation made = make(beside, built, resource);
    return new DatasetIterator<>(tf, resource, built.spec(), Optional.of(made));
  }

  /**
   * Adds an iterator that datasets of this structure can begin, each with an initializer of its
   * own.
   */
  public static <E> DatasetIterator<E> reinitializable(Ops tf, ElementSpec<E> spec) {
    return reinitializable(tf, spec, "");
  }

  /**
   * @param sharedName lets all sessions of a task share the iterator
   */
  public static <E> DatasetIterator<E> reinitializable(
      Ops tf, ElementSpec<E> spec, String sharedName) {
    return new DatasetIterator<>(tf, resource(tf, spec, sharedName), spec, Optional.empty());
  }

  /**
   * Adds an iterator that is, in each step, the one whose handle is fed.
   *
   * @param handle a string scalar: what a step returned for {@link #stringHandle}
   */
  public static <E> DatasetIterator<E> fromStringHandle(
      Ops tf, Operand handle, ElementSpec<E> spec) {
    Output resource =
        Building.described(
                tf.scope().operation("IteratorFromStringHandleV2").input(handle),
                "output_types",
                spec)
            .buildOutput();
    return new DatasetIterator<>(tf, resource, spec, Optional.empty());
  }

  private static Output resource(Ops tf, ElementSpec<?> spec, String sharedName) {
    OperationBuilder iterator =
        tf.scope().operation("IteratorV2").attr("shared_name", sharedName).attr("container", "");
    return Building.described(iterator, "output_types", spec).buildOutput();
  }

  private static Operation make(Ops beside, Built<?> built, Output resource) {
    return beside.scope().operation("MakeIterator").input(built.variant()).input(resource).build();
  }

  /** Adds a node that takes an element, and returns what the element is in the graph. */
  public E next() {
    return spec.pack(operation().outputs());
  }

  /**
   * Adds a node that takes an element, and returns the elements into which it is split.
   *
   * @param split splits one component into so many pieces
   */
  public List<E> nextSplit(int pieces, Function<Output, List<Output>> split) {
    List<List<Output>> components = operation().outputs().stream().map(split).toList();
    List<E> elements = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      int piece = i;
      elements.add(spec.pack(components.stream().map(all -> all.get(piece)).toList()));
    }
    return elements;
  }

  /** This iterator, for use in another scope: the nodes that it adds go there. */
  public DatasetIterator<E> in(Ops other) {
    return new DatasetIterator<>(other, resource, spec, initializer);
  }

  /** Adds a node that takes an element. */
  Operation operation() {
    return Building.described(
            tf.scope().operation("IteratorGetNext").input(resource), "output_types", spec)
        .build();
  }

  /**
   * Makes savers take along where the iterator is, so that a run resumes in the middle of an epoch:
   * to be called before {@code Saver.of}. A checkpoint then holds the buffers of shuffle and
   * prefetch, too. Run the initializer before {@code Saver.restore}.
   */
  public DatasetIterator<E> saveable() {
    if (!tf.graph().collection(GraphKeys.SAVEABLE_OBJECTS).contains(resource)) {
      tf.graph().addToCollection(GraphKeys.SAVEABLE_OBJECTS, resource);
    }
    return this;
  }

  /** The operation that begins an initializable iterator, from the beginning of its dataset. */
  public Operation initializer() {
    return initializer.orElseThrow(
        () ->
            TributaryException.failedPrecondition(
                "iterator '%s' has no initializer: use initializableIterator, or initializer(..)"
                    + " with a dataset",
                resource.operation().name()));
  }

  /** Adds an operation that begins the iterator with a dataset, from its beginning. */
  public Operation initializer(Dataset<E> dataset) {
    // The stages must be where the iterator is: datasets do not cross devices.
    Ops beside = tf.colocatedWith(resource.operation());
    Built<E> built = dataset.build(Building.in(beside));
    spec.requireSameTypes(built.spec());
    return make(beside, built, resource);
  }

  /** Adds a node whose value stands for the iterator, in this process and session. */
  public Output stringHandle() {
    return tf.scope().operation("IteratorToStringHandle").input(resource).buildOutput();
  }

  /**
   * Adds a node whose value says what the stages of the pipeline have done, a serialized message.
   */
  Output report() {
    return tf.scope().operation("IteratorGetModelProto").input(resource).buildOutput();
  }

  public ElementSpec<E> spec() {
    return spec;
  }
}
