package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The kernels of ops whose datasets call a function. */
public final class CallingKernels {
  /** Lets the runtime choose a number. */
  static final long AUTOTUNE = -1;

  /** Begins a pass that calls a function. */
  @FunctionalInterface
  interface Pass {
    ElementIterator begin(IteratorContext context, Dataset input, StageFunction function);
  }

  /** Reads the arguments behind the values that the function uses from outside. */
  @FunctionalInterface
  interface Reading {
    /**
     * @param first the first of these inputs
     */
    Pass read(KernelContext call, int first);
  }

  private CallingKernels() {}

  public static Kernel map(KernelNode node) {
    boolean preserves = node.attributes().bool("preserve_cardinality");
    return kernel(
        node,
        "f",
        (c, first) ->
            (context, input, function) ->
                new MapIterator(context, input.iterator(context), function, preserves));
  }

  public static Kernel parallelMap(KernelNode node) {
    return kernel(
        node,
        "f",
        (c, first) -> {
          ParallelMapIterator.Settings settings = settings(node, c, first);
          return (context, input, function) ->
              new ParallelMapIterator(context, input, function, settings);
        });
  }

  public static Kernel mapAndBatch(KernelNode node) {
    return kernel(
        node,
        "f",
        (c, first) -> {
          long size = DatasetKernels.scalar(c, first, "batch_size");
          if (size <= 0) {
            throw TributaryException.invalidArgument("batch_size must be greater than zero.");
          }
          ParallelMapIterator.Settings settings = settings(node, c, first + 1);
          boolean drop = DatasetKernels.truth(c, first + 2, "drop_remainder");
          return (context, input, function) ->
              new BatchIterator(
                  context,
                  new ParallelMapIterator(context, input, function, settings),
                  size,
                  drop,
                  elements -> Elements.stack(context.device().allocator(), elements));
        });
  }

  /** Reads the number of parallel calls, and whether results have the order of the input. */
  static ParallelMapIterator.Settings settings(KernelNode node, KernelContext c, int at) {
    long calls = DatasetKernels.scalar(c, at, "num_parallel_calls");
    if (calls < 1 && calls != AUTOTUNE) {
      throw TributaryException.invalidArgument("num_parallel_calls must be greater than zero.");
    }
    boolean isSloppy = node.attributes().has("sloppy") && node.attributes().bool("sloppy");
    boolean isUnordered =
        node.attributes().has("deterministic")
            && node.attributes().string("deterministic").equals("false");
    return new ParallelMapIterator.Settings(
        (int) Math.min(Integer.MAX_VALUE, calls == AUTOTUNE ? processors() : calls),
        !isSloppy && !isUnordered,
        node.attributes().has("preserve_cardinality")
            && node.attributes().bool("preserve_cardinality"));
  }

  public static Kernel filter(KernelNode node) {
    return filter(node, false);
  }

  public static Kernel takeWhile(KernelNode node) {
    return filter(node, true);
  }

  private static Kernel filter(KernelNode node, boolean endsAtFalse) {
    return kernel(
        node,
        "predicate",
        (c, first) ->
            (context, input, function) ->
                new FilterIterator(context, input.iterator(context), function, endsAtFalse));
  }

  public static Kernel parallelFilter(KernelNode node) {
    return kernel(
        node,
        "predicate",
        (c, first) -> {
          ParallelMapIterator.Settings settings = settings(node, c, first);
          return (context, input, function) ->
              new ChosenIterator(
                  context,
                  new ParallelMapIterator(context, input, new KeepingFunction(function), settings),
                  function,
                  input.spec().types().size());
        });
  }

  public static Kernel flatMap(KernelNode node) {
    return kernel(
        node,
        "f",
        (c, first) ->
            (context, input, function) ->
                new InterleaveIterator(context, input.iterator(context), function, 1, 1));
  }

  static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  // ---- functions with a state ----

  public static Kernel scan(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    boolean preserves = node.attributes().bool("preserve_cardinality");
    int states = node.attributes().types("Tstate").size();
    int captures = node.attributes().types("Targuments").size();
    StageFunction.Maker maker = StageFunction.of(node, "f");
    return c -> {
      Dataset input = Dataset.input(c, 0);
      StageFunction function = maker.make(c, 1 + states, captures);
      List<Tensor> initial = state(c, states);
      setOrRelease(
          c,
          node,
          spec,
          preserves ? input.cardinality() : Cardinality.UNKNOWN,
          false,
          List.of(input),
          () -> {
            initial.forEach(Tensor::close);
            function.close();
          },
          context -> StateIterator.scan(context, input.iterator(context), function, initial));
    };
  }

  private static List<Tensor> state(KernelContext c, int count) {
    List<Tensor> state = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      state.add(c.input(1 + i).retain());
    }
    return state;
  }

  public static AsyncKernel reduce(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    int states = node.attributes().types("Tstate").size();
    int captures = node.attributes().types("Targuments").size();
    StageFunction.Maker maker = StageFunction.of(node, "f");
    return new SingleElement(
        node,
        spec,
        c -> {
          Dataset input = Dataset.input(c, 0);
          StageFunction function = maker.make(c, 1 + states, captures);
          List<Tensor> initial = state(c, states);
          return new SingleElement.Pass(
              context -> StateIterator.reduce(context, input.begin(context), function, initial),
              () -> {
                initial.forEach(Tensor::close);
                function.close();
              });
        });
  }

  public static AsyncKernel single(KernelNode node) {
    return new SingleElement(
        node,
        ElementSpec.of(node),
        c -> {
          Dataset input = Dataset.input(c, 0);
          return new SingleElement.Pass(input::begin, () -> {});
        });
  }

  // ---- shared ----

  static Kernel kernel(KernelNode node, String attribute, Reading reading) {
    ElementSpec spec = ElementSpec.of(node);
    int captures = node.attributes().types("Targuments").size();
    boolean preserves =
        !node.op().endsWith("MapAndBatchDataset")
            && node.attributes().has("preserve_cardinality")
            && node.attributes().bool("preserve_cardinality");
    boolean opensFiles = opensFiles(node);
    StageFunction.Maker maker = StageFunction.of(node, attribute);
    return c -> {
      Dataset input = Dataset.input(c, 0);
      Pass pass = reading.read(c, 1 + captures);
      StageFunction function = maker.make(c, 1, captures);
      setOrRelease(
          c,
          node,
          spec,
          preserves ? input.cardinality() : Cardinality.UNKNOWN,
          opensFiles,
          List.of(input),
          function::close,
          context -> pass.begin(context, input, function));
    };
  }

  private static boolean opensFiles(KernelNode node) {
    return (node.op().contains("Interleave") || node.op().equals("FlatMapDataset"))
        && node.functions()
            .contains(
                (AttrValue.Function) node.attributes().find("f").orElseThrow(), Sharding.READERS);
  }

  /** Gives a dataset out that owns functions, or releases them if it cannot be made. */
  static void setOrRelease(
      KernelContext c,
      KernelNode node,
      ElementSpec spec,
      long cardinality,
      boolean opensFiles,
      List<Dataset> inputs,
      Runnable release,
      Function<IteratorContext, ElementIterator> open) {
    Dataset dataset;
    try {
      dataset =
          new Dataset(
              DatasetKernels.stage(node), spec, cardinality, opensFiles, inputs, release, open);
    } catch (RuntimeException e) {
      release.run();
      throw e;
    }
    DatasetKernels.set(c, dataset);
  }
}
