package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The kernels of ops whose datasets depend on random numbers. */
public final class RandomKernels {
  /** Two seeds; if both are 0, others are drawn once for the dataset. */
  private record Seeds(long first, long second, Object key) {
    static Seeds of(long first, long second) {
      boolean isSeeded = first != 0 || second != 0;
      return new Seeds(
          isSeeded ? first : ThreadLocalRandom.current().nextLong(),
          isSeeded ? second : ThreadLocalRandom.current().nextLong(),
          new Object());
    }

    /** The seeds in two inputs of a call. */
    static Seeds of(KernelContext call, int at) {
      return of(
          DatasetKernels.scalar(call, at, "seed"), DatasetKernels.scalar(call, at + 1, "seed2"));
    }

    RandomWords words() {
      return new RandomWords(first, second);
    }

    /** Gives each pass of a pipeline words of its own. */
    Optional<RandomWords> generator(IteratorContext context, boolean differs) {
      return differs ? Optional.of(context.shared(key, this::words)) : Optional.empty();
    }
  }

  private RandomKernels() {}

  /** With the seeds of the op's inputs; a seed generator in a further input has none of its own. */
  public static Kernel shuffle(KernelNode node) {
    boolean reshuffles = node.attributes().bool("reshuffle_each_iteration");
    return shuffle(node, c -> Seeds.of(c, 2), reshuffles, c -> 1L);
  }

  /** With seeds that are drawn: there are none in the inputs. */
  public static Kernel unseededShuffle(KernelNode node) {
    return shuffle(node, c -> Seeds.of(0, 0), true, c -> 1L);
  }

  public static Kernel shuffleAndRepeat(KernelNode node) {
    boolean reshuffles = node.attributes().bool("reshuffle_each_iteration");
    return shuffle(
        node, c -> Seeds.of(c, 2), reshuffles, c -> DatasetKernels.scalar(c, 4, "count"));
  }

  /** Reads something of a call. */
  @FunctionalInterface
  private interface Argument<T> {
    T of(KernelContext call);
  }

  private static Kernel shuffle(
      KernelNode node, Argument<Seeds> seedsOf, boolean reshuffles, Argument<Long> countOf) {
    return DatasetKernels.unary(
        node,
        c -> {
          long capacity = DatasetKernels.scalar(c, 1, "buffer_size");
          if (capacity <= 0 && capacity != ShuffleIterator.WHOLE_INPUT) {
            throw TributaryException.invalidArgument(
                "buffer_size must be greater than zero or UNKNOWN_CARDINALITY");
          }
          Seeds seeds = seedsOf.of(c);
          long count = countOf.of(c);
          DatasetKernels.Pass pass =
              (context, input) -> {
                Optional<RandomWords> generator = seeds.generator(context, reshuffles);
                RandomWords words = generator.map(RandomWords::split).orElseGet(seeds::words);
                return new ShuffleIterator(context, input, count, capacity, words, generator);
              };
          return pass.counting(n -> Cardinality.repeat(n, count));
        });
  }

  public static Kernel random(KernelNode node) {
    return random(node, false);
  }

  public static Kernel randomV2(KernelNode node) {
    return random(node, node.attributes().bool("rerandomize_each_iteration"));
  }

  private static Kernel random(KernelNode node, boolean differs) {
    ElementSpec spec = ElementSpec.of(node);
    return c -> {
      Seeds seeds = Seeds.of(c, 0);
      DatasetKernels.set(
          c,
          new Dataset(
              DatasetKernels.stage(node),
              spec,
              Cardinality.INFINITE,
              List.of(),
              () -> {},
              context -> {
                Optional<RandomWords> generator = seeds.generator(context, differs);
                RandomWords words = generator.map(RandomWords::split).orElseGet(seeds::words);
                return TensorSources.random(words, generator);
              }));
    };
  }

  public static Kernel sampling(KernelNode node) {
    return DatasetKernels.unary(
        node,
        c -> {
          float rate = c.input(1).floatValue();
          Seeds seeds = Seeds.of(c, 2);
          return (context, input) ->
              new SamplingIterator(context, input.iterator(context), rate, seeds.words());
        });
  }
}
