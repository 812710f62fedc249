package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.record.Compression;
import dev.tributary.session.Session;
import dev.tributary.tensor.Shape;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An input pipeline: a source of elements and what is done with them. A dataset is a description;
 * it is immutable, and nothing is read before an iterator asks for an element. Each pass begins
 * anew: files are opened again and shuffles done again.
 *
 * <pre>{@code
 * Dataset<Examples> train =
 *     Dataset.tfRecords(Path.of("train-*.tfrecord"))
 *         .shuffle(10_000, seed)
 *         .repeat(epochs)
 *         .map((tf, record) -> parse(tf, record), AUTOTUNE)
 *         .batch(128)
 *         .prefetch(AUTOTUNE);
 * Output images = train.iterator(tf).next().get("image"); // In a graph.
 * for (Elements e : train.iterate()) { ... } // Or in a loop of Java.
 * }</pre>
 *
 * <p>Functions are graph functions: each is called once, when a graph that uses the dataset is
 * built, with the {@code Ops} to build its body with and what an element is there. A mistake in a
 * pipeline comes to light then, with the stages up to the wrong one.
 *
 * @param <E> what an element is in a graph: an {@link Output}, {@link Examples}, a {@link Pair}, a
 *     {@code List} of such elements, or a dataset
 */
public final class Dataset<E> extends DatasetSources {
  /** Lets the runtime choose how many calls or elements are good. */
  public static final int AUTOTUNE = -1;

  /** The {@link #cardinality} of a dataset without an end. */
  public static final long INFINITE = -1;

  /** The {@link #cardinality} of a dataset whose elements must be counted. */
  public static final long UNKNOWN = -2;

  /** Builds the node of a dataset. */
  @FunctionalInterface
  interface Source<E> {
    Built<E> build(Building building);
  }

  /** Builds the node of a dataset from the one that it is made of. */
  @FunctionalInterface
  interface Stage<E, R> {
    Built<R> build(Building building, Built<E> input);
  }

  private final String stages;
  private final Source<E> source;

  private Dataset(String stages, Source<E> source) {
    this.stages = stages;
    this.source = source;
  }

  // ---- transformations ----

  public Dataset<E> concatenate(Dataset<E> next) {
    return then("concatenate", Joining.concatenate(next));
  }

  /** Repeats without end. */
  public Dataset<E> repeat() {
    return repeat(-1);
  }

  /**
   * @param count how many passes there are, -1 for any number
   */
  public Dataset<E> repeat(long count) {
    return then("repeat", Stages.same("RepeatDataset", count));
  }

  /** The first elements. */
  public Dataset<E> take(long count) {
    return then("take", Stages.same("TakeDataset", count));
  }

  /** All but the first elements. */
  public Dataset<E> skip(long count) {
    return then("skip", Stages.same("SkipDataset", count));
  }

  /**
   * Every element whose number modulo {@code count} is {@code index}. Shards of the same dataset
   * have together all elements, each once; so shard before you shuffle.
   */
  public Dataset<E> shard(long count, long index) {
    return then("shard", Stages.same("ShardDataset", count, index));
  }

  /**
   * The share of one of several workers, by a policy that looks at the stages so far. Best the last
   * stage, or the last before {@code prefetch}.
   *
   * @param index the number of this worker, from 0
   */
  public Dataset<E> autoShard(long workers, long index, AutoShard policy) {
    return then("autoShard", Stages.autoShard(workers, index, policy));
  }

  /** Puts elements into a random order, another one in each pass. */
  public Dataset<E> shuffle(long buffer) {
    return then("shuffle", Stages.shuffle(buffer, OptionalLong.empty(), true));
  }

  /** Puts elements into an order that follows from the seed, another one in each pass. */
  public Dataset<E> shuffle(long buffer, long seed) {
    return shuffle(buffer, seed, true);
  }

  /**
   * @param buffer the number of elements among which the next one is chosen; one of the size of the
   *     dataset shuffles perfectly
   * @param reshuffle whether each pass has another order
   */
  public Dataset<E> shuffle(long buffer, long seed, boolean reshuffle) {
    return then("shuffle", Stages.shuffle(buffer, OptionalLong.of(seed), reshuffle));
  }

  /** The same as {@code shuffle} and {@code repeat} behind each other, in one buffer. */
  public Dataset<E> shuffleAndRepeat(long buffer, long count, long seed) {
    return then("shuffleAndRepeat", Stages.shuffleAndRepeat(buffer, count, seed));
  }

  /** Stacks elements of equal shapes; the last batch may be smaller. */
  public Dataset<E> batch(long size) {
    return batch(size, false);
  }

  public Dataset<E> batch(long size, boolean dropRemainder) {
    return then("batch", Stages.batch(size, dropRemainder));
  }

  /** Stacks elements of equal ranks, each filled up with zeros to the largest of its batch. */
  public Dataset<E> paddedBatch(long size) {
    return paddedBatch(size, List.of(), List.of(), false);
  }

  /**
   * @param shapes what the elements are filled up to, one for each component; a size that is not
   *     known stands for the largest of the batch. If there are none, all sizes are.
   * @param padding what they are filled up with, one value for each component; zeros, empty strings
   *     and false if there are none
   */
  public Dataset<E> paddedBatch(
      long size, List<Shape> shapes, List<?> padding, boolean dropRemainder) {
    List<Given> values = padding.stream().map(Given::of).toList();
    return then(
        "paddedBatch", Stages.paddedBatch(size, List.copyOf(shapes), values, dropRemainder));
  }

  /**
   * Sparse tensors with a row for each element of a batch. Elements are tensors of one rank, and
   * may differ in size.
   *
   * @param row the sizes of the rows; one that is not known is the largest of the batch
   */
  public Dataset<SparseTensor> denseToSparseBatch(long size, Shape row) {
    return then("denseToSparseBatch", Stages.denseToSparseBatch(size, row));
  }

  /** Slices elements along their first dimension: the inverse of {@code batch}. */
  public Dataset<E> unbatch() {
    return then("unbatch", Stages.unbatch());
  }

  /** Makes batches of other sizes out of batches, in turns. */
  public Dataset<E> rebatch(List<Long> sizes, boolean dropRemainder) {
    return then("rebatch", Stages.rebatch(List.copyOf(sizes), dropRemainder));
  }

  /** Datasets of {@code size} elements each, one behind the other. */
  public Dataset<Dataset<E>> window(long size) {
    return window(size, size, 1, false);
  }

  /**
   * Datasets of which number {@code j} has the elements {@code j * shift + m * stride}, for {@code
   * m} below {@code size}.
   *
   * @param dropRemainder leaves out windows at the end that are smaller
   */
  public Dataset<Dataset<E>> window(long size, long shift, long stride, boolean dropRemainder) {
    return then("window", Stages.window(size, shift, stride, dropRemainder));
  }

  /** Elements with their numbers. */
  public Dataset<Pair<Output, E>> enumerate(long start) {
    return zip(range(start, Long.MAX_VALUE, 1), this);
  }

  /**
   * Has elements made ahead of those who want them.
   *
   * @param count how many, or {@link #AUTOTUNE}
   */
  public Dataset<E> prefetch(long count) {
    return then("prefetch", Stages.same("PrefetchDataset", count));
  }

  /** Keeps all elements in memory when they have come once, up to the last. */
  public Dataset<E> cache() {
    return then("cache", Stored.cache(""));
  }

  /**
   * Keeps all elements in files when they have come once, up to the last. If the files are there,
   * this dataset is not read any more, even if it has changed.
   *
   * @param prefix of the names of the files
   */
  public Dataset<E> cache(Path prefix) {
    return then("cache", Stored.cache(prefix.toString()));
  }

  /**
   * Keeps all elements in a folder when they have come once, up to the last; later passes read them
   * there, also those of other processes. The folder can hold the elements of several pipelines,
   * which are told apart by their stages and sizes, not by what their functions do: take another
   * folder when a function changes.
   */
  public Dataset<E> snapshot(Path folder) {
    return snapshot(folder, Compression.NONE);
  }

  public Dataset<E> snapshot(Path folder, Compression compression) {
    return then("snapshot", Stored.snapshot(folder.toString(), compression));
  }

  /**
   * Saves all elements in a folder, from which {@link #load} reads them; it takes the place of
   * elements that were saved there before. It runs in this process.
   */
  public void save(Path folder) {
    Ops tf = Ops.create();
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      session.run(save(tf, folder, Compression.NONE));
    }
  }

  /** Adds an operation that saves all elements in one step. */
  public Operation save(Ops tf, Path folder, Compression compression) {
    return Stored.save(Building.in(tf), this, folder.toString(), compression);
  }

  /** Leaves out elements that were there before; they have one component. */
  public Dataset<E> unique() {
    return then("unique", Stages.same("UniqueDataset"));
  }

  /** Leaves out elements that fail. */
  public Dataset<E> ignoreErrors() {
    return then("ignoreErrors", Stages.same("IgnoreErrorsDataset"));
  }

  /** Returns what another function makes of this, so that own transformations read like these. */
  public <R> Dataset<R> apply(Function<? super Dataset<E>, Dataset<R>> transformation) {
    return transformation.apply(this);
  }

  // ---- transformations with graph functions ----

  /** Elements that a graph function makes of these. */
  public <R> Dataset<R> map(BiFunction<Ops, E, R> f) {
    return then("map", Calls.map(f));
  }

  /**
   * @param calls how many calls run at the same time, or {@link #AUTOTUNE}; the order stays
   */
  public <R> Dataset<R> map(BiFunction<Ops, E, R> f, int calls) {
    return map(f, calls, true);
  }

  /**
   * @param deterministic false lets a later element come before an earlier one that takes longer
   */
  public <R> Dataset<R> map(BiFunction<Ops, E, R> f, int calls, boolean deterministic) {
    return then("map", Calls.parallelMap(f, calls, deterministic));
  }

  /** The same as {@code map} and {@code batch} behind each other, as TensorFlow 1 fuses them. */
  public <R> Dataset<R> mapAndBatch(
      BiFunction<Ops, E, R> f, long size, int calls, boolean dropRemainder) {
    return then("mapAndBatch", Calls.mapAndBatch(f, size, calls, dropRemainder));
  }

  /** Elements for which a graph function returns true, a boolean scalar. */
  public Dataset<E> filter(BiFunction<Ops, E, ? extends Operand> predicate) {
    return then("filter", Calls.choose("FilterDataset", predicate));
  }

  /**
   * @param calls how many calls run at the same time, or {@link #AUTOTUNE}; the order stays
   */
  public Dataset<E> filter(BiFunction<Ops, E, ? extends Operand> predicate, int calls) {
    return then("filter", Calls.parallelFilter(predicate, calls));
  }

  /**
   * Leaves out elements at random, so that the classes of the others have another distribution.
   *
   * @param classOf returns the number of an element's class, an integer scalar
   * @param target the part that each class shall have
   * @param initial the part that each class has
   */
  public Dataset<E> rejectionResample(
      BiFunction<Ops, E, ? extends Operand> classOf, double[] target, double[] initial, long seed) {
    return Rejection.of(this, classOf, target.clone(), initial.clone(), seed);
  }

  /** Elements up to the first for which a graph function returns false. */
  public Dataset<E> takeWhile(BiFunction<Ops, E, ? extends Operand> predicate) {
    return then("takeWhile", Calls.choose("TakeWhileDataset", predicate));
  }

  /** The elements of the datasets that a graph function makes, one dataset after the other. */
  public <R> Dataset<R> flatMap(BiFunction<Ops, E, Dataset<R>> f) {
    return then("flatMap", Calls.flatMap(f));
  }

  /**
   * The elements of the datasets that a graph function makes, in turns.
   *
   * @param cycle the number of datasets that are read at the same time, or {@link #AUTOTUNE}
   * @param block how many elements are taken from one before its turn is over
   */
  public <R> Dataset<R> interleave(BiFunction<Ops, E, Dataset<R>> f, int cycle, int block) {
    return then("interleave", Calls.interleave(f, cycle, block));
  }

  /**
   * @param calls how many datasets are asked at the same time, or {@link #AUTOTUNE}; the order
   *     stays
   */
  public <R> Dataset<R> interleave(
      BiFunction<Ops, E, Dataset<R>> f, int cycle, int block, int calls) {
    return interleave(f, cycle, block, calls, true);
  }

  /**
   * @param deterministic false gives elements as they come, so that a slow dataset does not keep
   *     others waiting
   */
  public <R> Dataset<R> interleave(
      BiFunction<Ops, E, Dataset<R>> f, int cycle, int block, int calls, boolean deterministic) {
    return then("interleave", Calls.parallelInterleave(f, cycle, block, calls, deterministic));
  }

  /**
   * Elements that a graph function makes of these and of a state, which it hands on.
   *
   * @param initial makes the first state
   * @param f returns the next state and the element
   */
  public <S, R> Dataset<R> scan(Function<Ops, S> initial, BinaryGraphFunction<S, E, Pair<S, R>> f) {
    return then("scan", Calls.scan(initial, f));
  }

  /**
   * Puts elements with equal keys together: when so many have come, a graph function makes a
   * dataset of them, whose elements come next. At the end it does so with what is left, in the
   * order of the keys.
   *
   * @param key returns an int64 scalar
   * @param reduce gets the key and the group
   */
  public <R> Dataset<R> groupByWindow(
      BiFunction<Ops, E, ? extends Operand> key,
      BinaryGraphFunction<Output, Dataset<E>, Dataset<R>> reduce,
      long size) {
    Stages.requirePositive("groupByWindow", "the size", size);
    return groupByWindow(key, reduce, (tf, k) -> tf.constant(size));
  }

  /**
   * @param size returns, for a key, the number of elements of a group, an int64 scalar
   */
  public <R> Dataset<R> groupByWindow(
      BiFunction<Ops, E, ? extends Operand> key,
      BinaryGraphFunction<Output, Dataset<E>, Dataset<R>> reduce,
      BiFunction<Ops, Output, ? extends Operand> size) {
    return then("groupByWindow", Grouping.byWindow(key, reduce, size));
  }

  /**
   * Batches of elements of about the same length, filled up with zeros to the largest of a batch.
   *
   * @param length returns the length of an element, an integer scalar
   * @param boundaries the least length of each bucket but the first, ascending
   * @param batchSizes one for each bucket, so one more than there are boundaries
   */
  public Dataset<E> bucketBySequenceLength(
      BiFunction<Ops, E, ? extends Operand> length,
      List<Integer> boundaries,
      List<Integer> batchSizes,
      boolean dropRemainder) {
    return then(
        "bucketBySequenceLength",
        Grouping.byLength(length, List.copyOf(boundaries), List.copyOf(batchSizes), dropRemainder));
  }

  /**
   * Adds a node that goes through all elements in one step, and returns the last state.
   *
   * @param initial the first state, values of the graph
   * @param f returns the next state
   */
  public <S> S reduce(Ops tf, S initial, BinaryGraphFunction<S, E, S> f) {
    return Calls.reduce(Building.in(tf), this, initial, f);
  }

  /** Adds a node that gives the only element; INVALID_ARGUMENT if there are more or none. */
  public E single(Ops tf) {
    return Calls.single(Building.in(tf), this);
  }

  // ---- functions of Java ----

  /**
   * Elements that a function of Java makes of these, one after the other. It runs in this process
   * and on threads of the step that asks: a task of another process fails and says so.
   *
   * @param spec what the elements are that the function returns
   * @param f gets the element on loan, and returns a value of Java, as {@link #generator} takes
   *     them
   */
  public <R> Dataset<R> mapJava(ElementSpec<R> spec, Function<? super Elements, ?> f) {
    return mapJava(spec, f, 1);
  }

  /**
   * @param calls how many calls run at the same time, or {@link #AUTOTUNE}; the order stays
   */
  public <R> Dataset<R> mapJava(ElementSpec<R> spec, Function<? super Elements, ?> f, int calls) {
    Calls.requireCalls("mapJava", calls);
    return then("mapJava", HostCalls.map(spec, calls, f));
  }

  /** Elements for which a function of Java returns true; it runs as those of {@link #mapJava}. */
  public Dataset<E> filterJava(Predicate<? super Elements> predicate) {
    return then("filterJava", HostCalls.filter(predicate));
  }

  // ---- iterators ----

  /**
   * Adds an iterator that needs no initializer and goes through the elements once. The dataset must
   * not use values from outside.
   */
  public DatasetIterator<E> iterator(Ops tf) {
    return DatasetIterator.oneShot(tf, this);
  }

  /** Adds an iterator that begins, again and again, when its initializer is run. */
  public DatasetIterator<E> initializableIterator(Ops tf) {
    return DatasetIterator.initializable(tf, this, "");
  }

  /**
   * @param sharedName lets all sessions of a task share the iterator
   */
  public DatasetIterator<E> initializableIterator(Ops tf, String sharedName) {
    return DatasetIterator.initializable(tf, this, sharedName);
  }

  /** One pass over the elements in this process, for a loop of Java. */
  public Iteration iterate() {
    return new Iteration(this);
  }

  /**
   * Goes through elements without using them, and prints what each stage did: where a pipeline
   * waits, which is where to make it faster.
   *
   * @param elements how many at most
   */
  public void printStats(long elements) {
    try (Iteration pass = iterate()) {
      Iterator<Elements> all = pass.iterator();
      for (long i = 0; i < elements && all.hasNext(); i++) {
        all.next();
      }
      System.out.println(pass.stats());
    }
  }

  /**
   * Returns how many elements there are, as far as the stages tell without reading any: {@link
   * #INFINITE}, {@link #UNKNOWN} or their number.
   */
  public long cardinality() {
    Ops tf = Ops.create();
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      Output variant = build(Building.in(tf)).variant();
      Output count = tf.scope().operation("DatasetCardinality").input(variant).buildOutput();
      return session.fetch(count).longValue();
    }
  }

  /** The structure of the elements. The functions of the dataset are traced for it. */
  public ElementSpec<E> spec() {
    Ops scratch = Ops.create();
    try (Graph graph = scratch.graph()) {
      return build(Building.in(scratch)).spec();
    }
  }

  // ---- how they are built ----

  static <E> Dataset<E> of(String name, Source<E> source) {
    return new Dataset<>(name, source);
  }

  /** The dataset of a variant that a graph has; several are the components of its elements. */
  static <E> Dataset<E> ofVariants(List<Output> variants, ElementSpec<E> spec) {
    return of("dataset", Joining.ofVariants(variants, spec));
  }

  <R> Dataset<R> then(String name, Stage<E, R> stage) {
    String path = stages + " -> " + name;
    return new Dataset<>(
        path,
        building -> {
          Built<E> input = build(building);
          try {
            return stage.build(building, input);
          } catch (TributaryException e) {
            throw e.at("Dataset " + path);
          }
        });
  }

  Built<E> build(Building building) {
    return source.build(building);
  }

  /** The names of the stages. */
  @Override
  public String toString() {
    return "Dataset " + stages;
  }
}
