package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** The kernels of ops that make datasets. */
public final class DatasetKernels {
  /** The dataset that an op makes of the one in its first input. */
  @FunctionalInterface
  interface Pass {
    ElementIterator begin(IteratorContext context, Dataset input);

    /** The number of elements for that of the input. */
    default long cardinality(long input) {
      return Cardinality.UNKNOWN;
    }

    default Pass counting(LongUnaryOperator cardinality) {
      Pass same = this;
      return new Pass() {
        @Override
        public ElementIterator begin(IteratorContext context, Dataset input) {
          return same.begin(context, input);
        }

        @Override
        public long cardinality(long input) {
          return cardinality.applyAsLong(input);
        }
      };
    }
  }

  /** Reads the arguments of a call, which are valid until it ends. */
  @FunctionalInterface
  interface Reading {
    Pass read(KernelContext call);
  }

  private DatasetKernels() {}

  // ---- sources ----

  public static Kernel tensors(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node, "Toutput_types");
    return c -> {
      List<Tensor> components = inputs(c);
      set(c, ofTensors(node, spec, 1, components, context -> TensorSources.whole(components)));
    };
  }

  /** Elements that are given one after the other, component by component. */
  public static Kernel list(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    int width = spec.types().size();
    return c -> {
      if (c.inputCount() % width != 0) {
        throw TributaryException.invalidArgument(
            "%d tensors are no list of elements with %d components", c.inputCount(), width);
      }
      List<Tensor> all = inputs(c);
      List<Tensor[]> elements = new ArrayList<>();
      for (int i = 0; i < all.size(); i += width) {
        elements.add(all.subList(i, i + width).toArray(Tensor[]::new));
      }
      set(
          c,
          ofTensors(node, spec, elements.size(), all, context -> TensorSources.elements(elements)));
    };
  }

  public static Kernel tensorSlices(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node, "Toutput_types");
    return c -> {
      for (int i = 0; i < c.inputCount(); i++) {
        requireRows(c.input(0), c.input(i), i);
      }
      List<Tensor> components = inputs(c);
      set(
          c,
          ofTensors(
              node,
              spec,
              components.get(0).shape().size(0),
              components,
              context -> TensorSources.rows(context.device().allocator(), components)));
    };
  }

  private static void requireRows(Tensor first, Tensor component, int index) {
    if (component.rank() == 0) {
      throw TributaryException.invalidArgument(
          "All components must be at least 1-dimensional; component %d is a scalar", index);
    }
    if (component.shape().size(0) != first.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "All components must have the same size in the 0th dimension; component 0 has %d and"
              + " component %d has %d",
          first.shape().size(0), index, component.shape().size(0));
    }
  }

  public static Kernel range(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    TensorSources.requireNumberType(spec.types().get(0));
    return c -> {
      long start = scalar(c, 0, "start");
      long stop = scalar(c, 1, "stop");
      long step = scalar(c, 2, "step");
      if (step == 0) {
        throw TributaryException.invalidArgument("step must be a non-zero integer.");
      }
      set(
          c,
          new Dataset(
              stage(node),
              spec,
              Cardinality.ofRange(start, stop, step),
              List.of(),
              () -> {},
              context ->
                  TensorSources.range(
                      context.device().allocator(), spec.types().get(0), start, stop, step)));
    };
  }

  // ---- transformations of one dataset ----

  public static Kernel repeat(KernelNode node) {
    return unary(
        node,
        c -> {
          long count = scalar(c, 1, "count");
          Pass pass = (context, input) -> new RepeatIterator(context, input, count);
          return pass.counting(n -> Cardinality.repeat(n, count));
        });
  }

  public static Kernel take(KernelNode node) {
    return unary(
        node,
        c -> {
          long count = scalar(c, 1, "count");
          Pass pass =
              (context, input) -> SelectingIterator.take(context, input.iterator(context), count);
          return pass.counting(n -> Cardinality.take(n, count));
        });
  }

  public static Kernel skip(KernelNode node) {
    return unary(
        node,
        c -> {
          long count = scalar(c, 1, "count");
          Pass pass =
              (context, input) -> SelectingIterator.skip(context, input.iterator(context), count);
          return pass.counting(n -> Cardinality.skip(n, count));
        });
  }

  public static Kernel shard(KernelNode node) {
    boolean isOfFiles = node.attributes().bool("require_non_empty");
    return unary(
        node,
        c -> {
          long shards = scalar(c, 1, "num_shards");
          long index = scalar(c, 2, "index");
          if (shards == Sharding.HINT) {
            return Sharding::ofHint;
          }
          if (shards <= 0) {
            throw TributaryException.invalidArgument(
                "Number of shards must be greater than zero (currently num_shards = %d).", shards);
          }
          if (index < 0 || index >= shards) {
            throw TributaryException.invalidArgument(
                "Index must be between 0 and %d (currently index = %d).", shards - 1, index);
          }
          Pass pass =
              (context, input) ->
                  isOfFiles
                      ? SelectingIterator.shardOfFiles(
                          context, input.iterator(context), shards, index)
                      : SelectingIterator.shard(context, input.iterator(context), shards, index);
          return pass.counting(n -> Cardinality.shard(n, shards, index));
        });
  }

  /** The share of one worker, by a policy that looks at the stages of the input. */
  public static Kernel autoShard(KernelNode node) {
    long policy = node.attributes().integer("auto_shard_policy");
    return unary(
        node,
        c -> {
          Sharding sharding =
              Sharding.of(
                  stage(node),
                  Dataset.input(c, 0),
                  policy,
                  scalar(c, 1, "num_workers"),
                  scalar(c, 2, "index"));
          Pass pass = (context, input) -> input.iterator(context.sharded(sharding));
          return pass.counting(sharding::cardinality);
        });
  }

  public static Kernel batch(KernelNode node) {
    return unary(
        node,
        c -> {
          long size = batchSize(c);
          // The number of parallel calls may be in between.
          boolean drop = c.inputCount() > 2 && truth(c, c.inputCount() - 1, "drop_remainder");
          Pass pass =
              (context, input) ->
                  new BatchIterator(
                      context,
                      input.iterator(context),
                      size,
                      drop,
                      elements -> Elements.stack(context.device().allocator(), elements));
          return pass.counting(n -> Cardinality.batch(n, size, drop));
        });
  }

  private static long batchSize(KernelContext c) {
    long size = scalar(c, 1, "batch_size");
    if (size <= 0) {
      throw TributaryException.invalidArgument("Batch size must be greater than zero.");
    }
    return size;
  }

  /** Batches as sparse tensors. */
  public static Kernel denseToSparseBatch(KernelNode node) {
    return unary(
        node,
        c -> {
          long size = batchSize(c);
          Shape row = paddedShape(c.input(2), 0);
          ElementSpec elements = Dataset.input(c, 0).spec();
          if (elements.types().size() != 1) {
            throw TributaryException.invalidArgument(
                "DenseToSparseDataset only supports inputs with a single component, got %d",
                elements.types().size());
          }
          Pass pass =
              (context, input) ->
                  new BatchIterator(
                      context,
                      input.iterator(context),
                      size,
                      false,
                      new SparseStacking(
                          context.device().allocator(), elements.types().get(0), row));
          return pass.counting(n -> Cardinality.batch(n, size, false));
        });
  }

  public static Kernel paddedBatch(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node, "Toutput_types");
    int count = spec.types().size();
    return c -> {
      Dataset input = Dataset.input(c, 0);
      long size = batchSize(c);
      List<Shape> shapes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        shapes.add(paddedShape(c.input(2 + i), i));
        requireScalar(c.input(2 + count + i), "padding_values");
      }
      boolean drop = c.inputCount() > 2 + 2 * count && truth(c, 2 + 2 * count, "drop_remainder");
      List<Tensor> fillers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        fillers.add(c.input(2 + count + i).retain());
      }
      set(
          c,
          new Dataset(
              stage(node),
              spec,
              Cardinality.batch(input.cardinality(), size, drop),
              List.of(input),
              () -> fillers.forEach(Tensor::close),
              context ->
                  new BatchIterator(
                      context,
                      input.iterator(context),
                      size,
                      drop,
                      new PaddedStacking(context.device().allocator(), shapes, fillers))));
    };
  }

  private static Shape paddedShape(Tensor sizes, int component) {
    if (sizes.rank() != 1) {
      throw TributaryException.invalidArgument(
          "padded_shapes of component %d must be a vector, but it has shape %s",
          component, sizes.shape());
    }
    long[] padded = sizes.toLongs();
    Shape shape = Shape.ofRank(padded.length);
    for (int i = 0; i < padded.length; i++) {
      if (padded[i] < -1) {
        throw TributaryException.invalidArgument(
            "padded_shapes of component %d has size %d: give -1 or more", component, padded[i]);
      }
      shape = padded[i] < 0 ? shape : shape.withSize(i, padded[i]);
    }
    return shape;
  }

  public static Kernel unbatch(KernelNode node) {
    return unary(
        node, c -> (context, input) -> new UnbatchIterator(context, input.iterator(context)));
  }

  public static Kernel window(KernelNode node) {
    return unary(
        node,
        c -> {
          WindowIterator.Layout layout = layout(c, truth(c, 4, "drop_remainder"));
          return (context, input) ->
              new WindowIterator(
                  context, input.iterator(context), layout, WindowIterator.datasets(stage(node)));
        });
  }

  /** Windows whose elements are stacked. */
  public static Kernel slidingWindow(KernelNode node) {
    boolean drops =
        !node.attributes().has("drop_remainder") || node.attributes().bool("drop_remainder");
    return unary(
        node,
        c -> {
          WindowIterator.Layout layout = layout(c, drops);
          return (context, input) ->
              new WindowIterator(
                  context,
                  input.iterator(context),
                  layout,
                  elements -> Elements.stack(context.device().allocator(), elements));
        });
  }

  private static WindowIterator.Layout layout(KernelContext c, boolean drops) {
    return new WindowIterator.Layout(
        positive(c, 1, "size"), positive(c, 2, "shift"), positive(c, 3, "stride"), drops);
  }

  private static long positive(KernelContext call, int input, String name) {
    long value = scalar(call, input, name);
    if (value <= 0) {
      throw TributaryException.invalidArgument(
          "Window %s must be greater than zero, got %d.", name, value);
    }
    return value;
  }

  /** The parts of batches for a number of replicas. */
  public static Kernel split(KernelNode node) {
    return unary(
        node,
        c -> {
          long replicas = scalar(c, 1, "num_replicas");
          if (replicas <= 0) {
            throw TributaryException.invalidArgument(
                "num_replicas must be greater than zero, got %d", replicas);
          }
          return (context, input) -> new SplitIterator(context, input.iterator(context), replicas);
        });
  }

  public static Kernel ignoreErrors(KernelNode node) {
    boolean logs = node.attributes().bool("log_warning");
    return unary(
        node,
        c -> (context, input) -> new IgnoreErrorsIterator(context, input.iterator(context), logs));
  }

  public static Kernel prefetch(KernelNode node) {
    return unary(
        node,
        c -> {
          long size = scalar(c, 1, "buffer_size");
          if (size < PrefetchIterator.AUTOTUNE) {
            throw TributaryException.invalidArgument(
                "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning, got %d",
                size);
          }
          Pass pass =
              (context, input) ->
                  size == 0 ? input.iterator(context) : new PrefetchIterator(context, input, size);
          return pass.counting(n -> n);
        });
  }

  /** Datasets that say how others should run and change no element. */
  public static Kernel same(KernelNode node) {
    return c -> {
      Dataset.input(c, 0);
      c.setOutput(0, c.input(0).retain());
    };
  }

  /** The number of elements, as far as it is known without a pass. */
  public static Kernel cardinality(KernelNode node) {
    return c -> c.setOutput(0, Tensor.scalar(Dataset.input(c, 0).cardinality()));
  }

  // ---- transformations of several datasets ----

  public static Kernel zip(KernelNode node) {
    return ofMany(
        node,
        Cardinality::zip,
        inputs ->
            context ->
                new ZipIterator(
                    context, inputs.stream().map(input -> input.iterator(context)).toList()));
  }

  public static Kernel concatenate(KernelNode node) {
    return ofMany(
        node,
        Cardinality::concatenate,
        inputs -> context -> new ConcatenateIterator(context, inputs));
  }

  static Kernel ofMany(
      KernelNode node,
      LongBinaryOperator cardinality,
      Function<List<Dataset>, Function<IteratorContext, ElementIterator>> passes) {
    ElementSpec spec = ElementSpec.of(node);
    return c -> {
      List<Dataset> inputs = new ArrayList<>();
      for (int i = 0; i < c.inputCount(); i++) {
        inputs.add(Dataset.input(c, i));
      }
      long count =
          inputs.stream().mapToLong(Dataset::cardinality).reduce(cardinality).orElseThrow();
      set(c, new Dataset(stage(node), spec, count, inputs, () -> {}, passes.apply(inputs)));
    };
  }

  // ---- shared ----

  static Kernel unary(KernelNode node, Reading reading) {
    ElementSpec spec = ElementSpec.of(node);
    return c -> {
      Dataset input = Dataset.input(c, 0);
      Pass pass = reading.read(c);
      set(
          c,
          new Dataset(
              stage(node),
              spec,
              pass.cardinality(input.cardinality()),
              List.of(input),
              () -> {},
              context -> pass.begin(context, input)));
    };
  }

  private static Dataset ofTensors(
      KernelNode node,
      ElementSpec spec,
      long cardinality,
      List<Tensor> components,
      Function<IteratorContext, ElementIterator> open) {
    return new Dataset(
        stage(node), spec, cardinality, List.of(), () -> components.forEach(Tensor::close), open);
  }

  static void set(KernelContext call, Dataset dataset) {
    call.setOutput(0, dataset.toTensor());
  }

  private static List<Tensor> inputs(KernelContext call) {
    List<Tensor> inputs = new ArrayList<>();
    for (int i = 0; i < call.inputCount(); i++) {
      inputs.add(call.input(i).retain());
    }
    return inputs;
  }

  static String stage(KernelNode node) {
    return node.op() + " '" + node.name() + "'";
  }

  static long scalar(KernelContext call, int input, String name) {
    Tensor value = call.input(input);
    requireScalar(value, name);
    return value.type() == DataType.INT32 ? value.intValue() : value.longValue();
  }

  static boolean truth(KernelContext call, int input, String name) {
    requireScalar(call.input(input), name);
    return call.input(input).booleanValue();
  }

  private static void requireScalar(Tensor value, String name) {
    if (value.rank() != 0) {
      throw TributaryException.invalidArgument(
          "%s must be a scalar, but it has shape %s", name, value.shape());
    }
  }
}
