package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Function;

/**
 * A description of a sequence of elements, in a variant tensor. Iterators pass over it, several at
 * the same time, each from the beginning. It has a reference to each dataset that it is made of,
 * and owns what its iterators use. Immutable.
 */
public final class Dataset extends Variant {
  /**
   * Datasets are read and given back by recursion: a request takes about 1 kB of the stack in each
   * stage before it is compiled, and threads have 1 MB.
   */
  private static final int MOST_STAGES = 400;

  /** Thirty datasets that each use the one before twice would open more than any memory holds. */
  private static final int MOST_PASSES = 100_000;

  private final String stage;
  private final ElementSpec spec;
  private final List<Dataset> inputs;
  private final Runnable release;
  private final Function<IteratorContext, ElementIterator> open;
  private final long cardinality;
  private final boolean opensFiles;
  private final int depth;

  /** Passes that one pass opens, itself included: at most all at the same time. */
  private final long passes;

  Dataset(
      String stage,
      ElementSpec spec,
      List<Dataset> inputs,
      Runnable release,
      Function<IteratorContext, ElementIterator> open) {
    this(stage, spec, Cardinality.UNKNOWN, inputs, release, open);
  }

  /**
   * @param stage names it in messages
   * @param inputs the datasets it is made of, to each of which it takes a reference
   * @param release gives back what it owns, but not if this fails
   * @param open begins a pass
   */
  Dataset(
      String stage,
      ElementSpec spec,
      long cardinality,
      List<Dataset> inputs,
      Runnable release,
      Function<IteratorContext, ElementIterator> open) {
    this(stage, spec, cardinality, false, inputs, release, open);
  }

  /**
   * @param opensFiles whether its function reads the files that elements of the input name
   */
  Dataset(
      String stage,
      ElementSpec spec,
      long cardinality,
      boolean opensFiles,
      List<Dataset> inputs,
      Runnable release,
      Function<IteratorContext, ElementIterator> open) {
    this.opensFiles = opensFiles;
    this.cardinality = cardinality;
    this.stage = stage;
    this.spec = spec;
    this.inputs = List.copyOf(inputs);
    this.release = release;
    this.open = open;
    this.depth = 1 + inputs.stream().mapToInt(input -> input.depth).max().orElse(0);
    this.passes = 1 + inputs.stream().mapToLong(input -> input.passes).sum();
    requireStages(depth);
    if (passes > MOST_PASSES) {
      throw TributaryException.invalidArgument(
          "%s: a dataset has at most %d stages, where one that is used twice counts twice",
          stage, MOST_PASSES);
    }
    inputs.forEach(Variant::share);
  }

  static void requireStages(int oneAfterTheOther) {
    if (oneAfterTheOther > MOST_STAGES) {
      throw TributaryException.invalidArgument(
          "a dataset has at most %d stages, one after the other, with those of datasets that its"
              + " functions return",
          MOST_STAGES);
    }
  }

  String stage() {
    return stage;
  }

  /** The op that made it. */
  String op() {
    return StageCounters.op(stage);
  }

  List<Dataset> inputs() {
    return inputs;
  }

  boolean opensFiles() {
    return opensFiles;
  }

  /** The number of elements, or one of the constants of {@link Cardinality}. */
  long cardinality() {
    return cardinality;
  }

  ElementSpec spec() {
    return spec;
  }

  /**
   * Begins a pass for a stage behind this one. The caller has a reference to this until the pass is
   * closed.
   */
  ElementIterator iterator(IteratorContext context) {
    StageCounters counters = context.counters().input(stage);
    ElementIterator pass = new MeasuredIterator(open.apply(context.in(counters)), counters);
    return context
        .sharding()
        .filter(sharding -> sharding.cuts(this))
        .map(sharding -> sharding.share(context, pass))
        .orElse(pass);
  }

  /**
   * Begins a pass that is not known from the stages behind it: for a step, or for a dataset that a
   * function returned. RESOURCE_EXHAUSTED if there is no heap for its stages.
   */
  ElementIterator begin(IteratorContext outer) {
    IteratorContext context = outer.deeper(depth);
    long bytes = ElementHeap.ofPasses(passes);
    context.heap().take(bytes, stage + ": a pass over its stages");
    try {
      return new Begun(iterator(context), context.heap(), bytes);
    } catch (RuntimeException | Error e) {
      context.heap().giveBack(bytes);
      throw e;
    }
  }

  /** A pass whose stages are counted until it is closed. */
  private record Begun(ElementIterator pass, ElementHeap heap, long bytes)
      implements ElementIterator {
    @Override
    public void next(ElementReceiver receiver) {
      pass.next(receiver);
    }

    @Override
    public void save(StateWriter writer) {
      pass.save(writer);
    }

    @Override
    public void restore(StateReader reader) {
      pass.restore(reader);
    }

    @Override
    public void close() {
      pass.close();
      heap.giveBack(bytes);
    }
  }

  /** The dataset that an input of a kernel holds, borrowed. */
  static Dataset input(KernelContext call, int input) {
    return in(call.input(input));
  }

  /** The dataset that a variant tensor holds, borrowed. */
  static Dataset in(Tensor variant) {
    if (variant.type() == DataType.VARIANT
        && variant.rank() == 0
        && variant.objects()[0] instanceof Dataset dataset) {
      return dataset;
    }
    throw TributaryException.invalidArgument(
        "The given variant tensor does not hold a dataset: %s %s. Saw: '%s'",
        variant.type().lowerName(),
        variant.shape(),
        variant.type() == DataType.VARIANT && variant.elementCount() > 0
            ? Variant.describe(variant.objects()[0])
            : "nothing");
  }

  /** A tensor that holds this, with the reference that the caller has. */
  Tensor toTensor() {
    return Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), this);
  }

  @Override
  protected int levels() {
    return 1;
  }

  @Override
  protected void releaseHeld() {
    release.run();
    inputs.forEach(Variant::end);
  }

  @Override
  public String toString() {
    return stage;
  }
}
