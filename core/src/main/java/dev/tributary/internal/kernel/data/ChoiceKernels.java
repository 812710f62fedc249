package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import java.util.ArrayList;
import java.util.List;

/** The kernels of ops whose datasets choose among elements, or put them into groups. */
public final class ChoiceKernels {
  private ChoiceKernels() {}

  public static Kernel unique(KernelNode node) {
    return DatasetKernels.unary(
        node, c -> (context, input) -> new UniqueIterator(context, input.iterator(context)));
  }

  public static Kernel directedInterleave(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    boolean endsWithFirst =
        node.attributes().has("stop_on_empty_dataset")
            && node.attributes().bool("stop_on_empty_dataset");
    return c -> {
      List<Dataset> all = new ArrayList<>();
      for (int i = 0; i < c.inputCount(); i++) {
        all.add(Dataset.input(c, i));
      }
      Dataset selector = all.get(0);
      List<Dataset> inputs = List.copyOf(all.subList(1, all.size()));
      DatasetKernels.set(
          c,
          new Dataset(
              DatasetKernels.stage(node),
              spec,
              all,
              () -> {},
              context ->
                  new DirectedInterleaveIterator(
                      context,
                      selector.iterator(context),
                      inputs.stream().map(input -> input.iterator(context)).toList(),
                      endsWithFirst)));
    };
  }

  /** Any choice is right: all inputs have the same elements. */
  public static Kernel first(KernelNode node) {
    return DatasetKernels.same(node);
  }

  public static Kernel assertCardinality(KernelNode node) {
    return DatasetKernels.unary(
        node,
        c -> {
          long wanted = DatasetKernels.scalar(c, 1, "cardinality");
          DatasetKernels.Pass pass =
              (context, input) -> new CountedIterator(context, input.iterator(context), wanted);
          return pass.counting(n -> wanted);
        });
  }

  public static Kernel groupByWindow(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    String stage = DatasetKernels.stage(node);
    int ofKey = captures(node, "key_func");
    int ofReduce = captures(node, "reduce_func");
    int ofSize = captures(node, "window_size_func");
    StageFunction.Maker key = StageFunction.of(node, "key_func");
    StageFunction.Maker reduce = StageFunction.of(node, "reduce_func");
    StageFunction.Maker size = StageFunction.of(node, "window_size_func");
    return c -> {
      Dataset input = Dataset.input(c, 0);
      GroupByWindowIterator.Functions functions =
          new GroupByWindowIterator.Functions(
              key.make(c, 1, ofKey),
              reduce.make(c, 1 + ofKey, ofReduce),
              size.make(c, 1 + ofKey + ofReduce, ofSize));
      DatasetKernels.set(
          c,
          new Dataset(
              stage,
              spec,
              List.of(input),
              () -> {
                functions.key().close();
                functions.reduce().close();
                functions.windowSize().close();
              },
              context -> new GroupByWindowIterator(context, input, functions, stage)));
    };
  }

  private static int captures(KernelNode node, String function) {
    return node.attributes().types("T" + function + "_other_arguments").size();
  }

  /** Gives batches other sizes, each size in turn. */
  public static Kernel rebatch(KernelNode node) {
    return DatasetKernels.unary(
        node,
        c -> {
          long[] sizes = sizes(c);
          boolean drops = DatasetKernels.truth(c, 2, "drop_remainder");
          return (context, input) ->
              new RebatchIterator(context, input.iterator(context), sizes, drops);
        });
  }

  private static long[] sizes(KernelContext c) {
    if (c.input(1).rank() > 1) {
      throw TributaryException.invalidArgument(
          "batch_sizes must be a scalar or a vector, but it has shape %s", c.input(1).shape());
    }
    long[] sizes = c.input(1).toLongs();
    for (long size : sizes) {
      if (size < 0) {
        throw TributaryException.invalidArgument("Batch sizes must be positive, got %d", size);
      }
    }
    if (sizes.length == 0) {
      throw TributaryException.invalidArgument("batch_sizes has no size");
    }
    return sizes;
  }
}
