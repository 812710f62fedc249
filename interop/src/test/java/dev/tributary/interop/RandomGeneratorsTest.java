package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tributary.internal.kernel.random.Distribution;
import dev.tributary.internal.kernel.random.GuardedPhilox;
import dev.tributary.internal.kernel.random.Multinomial;
import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.internal.kernel.random.Shuffle;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each random generator against stock TensorFlow, bit by bit, over seeds, sizes and successive
 * runs.
 */
class RandomGeneratorsTest {
  private static final int CASES = 20;
  private static final int RUNS = 3;
  private static final int[] SIZES = {
    0, 1, 2, 3, 4, 5, 7, 255, 256, 257, 1000, 1023, 1024, 1025, 20_000, 100_001
  };

  /**
   * Stock draws from other places of the stream on each machine where it takes a larger batch
   * apart.
   */
  private static final int UNSPLIT_MULTINOMIAL = 2000;

  private final Random random = new Random(20240917);

  @BeforeAll
  static void stockRunsHere() {
    boolean linux = System.getProperty("os.name").equals("Linux");
    boolean x86 = System.getProperty("os.arch").matches("amd64|x86_64");
    assumeTrue(linux && x86, "stock TensorFlow is on the test classpath for linux-x86_64 only");
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "HALF", "BFLOAT16"})
  void uniform_stateful_equalsStock(DataType type) {
    stateful("RandomUniform", type, Distribution.uniform(type));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "HALF", "BFLOAT16"})
  void normal_stateful_equalsStock(DataType type) {
    assumeSameArithmetic(type);
    stateful("RandomStandardNormal", type, Distribution.normal(type));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "HALF", "BFLOAT16"})
  void truncatedNormal_stateful_equalsStock(DataType type) {
    assumeSameArithmetic(type);
    stateful("TruncatedNormal", type, Distribution.truncatedNormal(type));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "HALF", "BFLOAT16"})
  void uniform_stateless_equalsStock(DataType type) {
    stateless("StatelessRandomUniform", type, Distribution.uniform(type));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "HALF", "BFLOAT16"})
  void normal_stateless_equalsStock(DataType type) {
    assumeSameArithmetic(type);
    stateless("StatelessRandomNormal", type, Distribution.normal(type));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "HALF", "BFLOAT16"})
  void truncatedNormal_stateless_equalsStock(DataType type) {
    assumeSameArithmetic(type);
    stateless("StatelessTruncatedNormal", type, Distribution.truncatedNormal(type));
  }

  @ParameterizedTest
  @EnumSource(names = {"INT32", "INT64"})
  void uniformFullInt_stateless_equalsStock(DataType type) {
    stateless("StatelessRandomUniformFullInt", type, Distribution.uniformFullInt(type));
  }

  @ParameterizedTest
  @EnumSource(names = {"INT32", "INT64"})
  void uniformInt_statefulAndStateless_equalsStock(DataType type) {
    for (int i = 0; i < CASES; i++) {
      long[] bounds = bounds(type, i);
      Distribution distribution = Distribution.uniformInt(type, bounds[0], bounds[1]);
      int size = size(i);
      try (Tensor shape = Tensor.of(size);
          Tensor low = integer(type, bounds[0]);
          Tensor high = integer(type, bounds[1])) {
        long seed = random.nextLong();
        long seed2 = random.nextInt(1000);
        Map<String, Object> attributes = Map.of("seed", seed, "seed2", seed2);
        try (StockKernel stock =
            new StockKernel("RandomUniformInt", attributes, shape, low, high)) {
          sameRuns(stock, distribution, type, seed, seed2, size);
        }
        try (Tensor seeds = Tensor.of(seed, seed2);
            StockKernel stock =
                new StockKernel("StatelessRandomUniformInt", Map.of(), shape, seeds, low, high)) {
          assertThat(filled(distribution, type, Philox.ofStatelessSeed(seed, seed2), size))
              .isEqualTo(stock.run());
        }
      }
    }
  }

  @Test
  void shuffle_successiveRuns_equalStock() {
    for (int i = 0; i < CASES; i++) {
      int size = size(i);
      int[] values = random.ints(size).toArray();
      long seed = random.nextLong();
      long seed2 = random.nextInt(5);
      GuardedPhilox state = GuardedPhilox.ofSeeds(seed, seed2, random::nextLong);
      try (Tensor input = Tensor.of(values);
          StockKernel stock =
              new StockKernel("RandomShuffle", Map.of("seed", seed, "seed2", seed2), input)) {
        for (int run = 0; run < RUNS; run++) {
          int[] order = Shuffle.permutation(state, size);
          for (int j = 0; j < size; j++) {
            order[j] = values[order[j]];
          }
          try (Tensor expected = Tensor.of(DataType.INT32, Shape.of(size), stock.run())) {
            assertThat(order)
                .as("seed %d,%d size %d run %d", seed, seed2, size, run)
                .isEqualTo(expected.toInts());
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "HALF", "BFLOAT16"})
  void multinomial_statefulAndStateless_equalsStock(DataType type) {
    for (int i = 0; i < CASES; i++) {
      int batch = 1 + random.nextInt(i % 2 == 0 ? 40 : 4);
      int rowBudget = UNSPLIT_MULTINOMIAL / batch;
      int classes = 1 + random.nextInt(rowBudget / 2);
      int samples = random.nextInt(1 + rowBudget / 20);
      DataType output = i % 3 == 0 ? DataType.INT32 : DataType.INT64;
      long seed = random.nextLong();
      long seed2 = random.nextLong();
      Multinomial multinomial = new Multinomial(type, output);
      Map<String, Object> stateless = Map.of("output_dtype", output);
      Map<String, Object> stateful = Map.of("output_dtype", output, "seed", seed, "seed2", seed2);
      try (Tensor logits = logits(type, batch, classes);
          Tensor count = Tensor.scalar(samples);
          Tensor seeds = Tensor.of(seed, seed2);
          StockKernel stock = new StockKernel("Multinomial", stateful, logits, count);
          StockKernel stockStateless =
              new StockKernel("StatelessMultinomial", stateless, logits, count, seeds)) {
        GuardedPhilox state = GuardedPhilox.ofSeeds(seed, seed2, random::nextLong);
        for (int run = 0; run < RUNS; run++) {
          Philox stream = state.reserveOutputs(Multinomial.outputs(batch, samples));
          assertThat(drawn(multinomial, stream, logits, samples)).isEqualTo(stock.run());
        }
        Philox stream = Philox.ofStatelessSeed(seed, seed2);
        assertThat(drawn(multinomial, stream, logits, samples)).isEqualTo(stockStateless.run());
      }
    }
  }

  /**
   * The C library behind stock's logarithm, sine and cosine rounds doubles otherwise without this
   * instruction.
   */
  private static void assumeSameArithmetic(DataType type) {
    if (type == DataType.DOUBLE) {
      assumeTrue(
          processorFlags().contains(" fma "),
          "normal doubles are those of processors with fused multiply-add");
    }
  }

  private static String processorFlags() {
    try {
      return Files.readString(Path.of("/proc/cpuinfo"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void stateful(String op, DataType type, Distribution distribution) {
    for (int i = 0; i < CASES; i++) {
      int size = size(i);
      long seed = i % 2 == 0 ? random.nextLong() : random.nextInt(100);
      long seed2 = i % 4 == 0 ? random.nextLong() : 1 + random.nextInt(100);
      try (Tensor shape = Tensor.of(size);
          StockKernel stock =
              new StockKernel(op, Map.of("dtype", type, "seed", seed, "seed2", seed2), shape)) {
        sameRuns(stock, distribution, type, seed, seed2, size);
      }
    }
  }

  private void stateless(String op, DataType type, Distribution distribution) {
    for (int i = 0; i < CASES; i++) {
      int size = size(i);
      boolean wide = i % 2 == 0;
      long seed0 = wide ? random.nextLong() : random.nextInt();
      long seed1 = wide ? random.nextLong() : random.nextInt();
      Map<String, Object> attributes = Map.of("dtype", type);
      try (Tensor shape = Tensor.of(size);
          Tensor seeds = wide ? Tensor.of(seed0, seed1) : Tensor.of((int) seed0, (int) seed1);
          StockKernel stock = new StockKernel(op, attributes, shape, seeds)) {
        assertThat(filled(distribution, type, Philox.ofStatelessSeed(seed0, seed1), size))
            .as("%s %s seed %d,%d size %d", op, type, seed0, seed1, size)
            .isEqualTo(stock.run());
      }
    }
  }

  private void sameRuns(
      StockKernel stock,
      Distribution distribution,
      DataType type,
      long seed,
      long seed2,
      int size) {
    GuardedPhilox state = GuardedPhilox.ofSeeds(seed, seed2, random::nextLong);
    for (int run = 0; run < RUNS; run++) {
      assertThat(filled(distribution, type, state.reserveOutputs(size), size))
          .as("%s seed %d,%d size %d run %d", type, seed, seed2, size, run)
          .isEqualTo(stock.run());
    }
  }

  private static byte[] filled(Distribution distribution, DataType type, Philox stream, int size) {
    try (Tensor tensor = Tensor.allocate(DataType.UINT8, Shape.of((long) size * type.size()))) {
      distribution.fill(stream, tensor.storage().address(), size);
      return tensor.toBytes();
    }
  }

  private static byte[] drawn(Multinomial multinomial, Philox stream, Tensor logits, int samples) {
    int batch = (int) logits.shape().size(0);
    int classes = (int) logits.shape().size(1);
    try (Tensor tensor = Tensor.allocate(multinomial.output(), Shape.of(batch, samples))) {
      multinomial.fill(
          stream, logits.storage().address(), batch, classes, samples, tensor.storage().address());
      return tensor.toBytes();
    }
  }

  /** Normal logits, some of them infinite or not a number, which have no weight. */
  private Tensor logits(DataType type, int batch, int classes) {
    int count = batch * classes;
    Tensor logits = Tensor.allocate(type, Shape.of(batch, classes));
    Distribution.normal(type)
        .fill(Philox.ofSeeds(random.nextLong(), 1), logits.storage().address(), count);
    for (int i = random.nextInt(20); i < count; i += 1 + random.nextInt(40)) {
      double value =
          switch (random.nextInt(3)) {
            case 0 -> Double.NEGATIVE_INFINITY;
            case 1 -> Double.POSITIVE_INFINITY;
            default -> Double.NaN;
          };
      switch (type) {
        case FLOAT -> Memory.putFloat(logits.storage().address() + 4L * i, (float) value);
        case DOUBLE -> Memory.putDouble(logits.storage().address() + 8L * i, value);
        case HALF -> Memory.putShort(logits.storage().address() + 2L * i, (short) 0x7c00);
        default -> Memory.putShort(logits.storage().address() + 2L * i, (short) 0xff80);
      }
    }
    return logits;
  }

  private long[] bounds(DataType type, int round) {
    boolean wide = type == DataType.INT64;
    long first = wide ? random.nextLong() : random.nextInt();
    long second = wide ? random.nextLong() : random.nextInt();
    return switch (round % 4) {
      case 0 -> new long[] {0, 1 + random.nextInt(100)};
      case 1 -> new long[] {-random.nextInt(50), 1 + random.nextInt(50)};
      case 2 ->
          wide
              ? new long[] {Long.MIN_VALUE, Long.MAX_VALUE}
              : new long[] {Integer.MIN_VALUE, Integer.MAX_VALUE};
      default -> new long[] {Math.min(first, second), Math.max(first, second)};
    };
  }

  private static Tensor integer(DataType type, long value) {
    return type == DataType.INT32 ? Tensor.scalar((int) value) : Tensor.scalar(value);
  }

  private int size(int round) {
    return round < SIZES.length ? SIZES[round] : random.nextInt(5000);
  }
}
