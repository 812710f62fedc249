package dev.tributary.internal.collective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.CollectiveKind;
import dev.tributary.internal.kernel.CollectiveReduction;
import dev.tributary.internal.kernel.CollectiveReduction.Merge;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All algorithms on random groups, shapes and types, and with each of their messages failing. */
@NoLeaks
@Timeout(120)
class AlgorithmsTest {
  private static final long SEED = 20261119;
  private static final int ROUNDS = 150;
  private static final CollectiveReduction SUM = new CollectiveReduction(Merge.ADD, false);
  private static final List<DataType> TYPES =
      List.of(
          DataType.FLOAT,
          DataType.DOUBLE,
          DataType.INT32,
          DataType.INT64,
          DataType.HALF,
          DataType.BFLOAT16);

  private final Random random = new Random(SEED);

  @Test
  void reduce_randomGroupsShapesAndTypes_isTheSumOfOneProcessWithEqualBits() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      try (Ranks ranks = ranks(UnaryOperator.identity())) {
        DataType type = TYPES.get(random.nextInt(TYPES.size()));
        int size = random.nextInt(4) == 0 ? random.nextInt(200_000) : random.nextInt(200);
        int[][] values = values(ranks.count(), size);
        List<Tensor> inputs = tensors(type, values);
        List<Tensor> sums = ranks.run(CollectiveKind.REDUCE, SUM, inputs, -1);

        String what = what(round, ranks, type, size);
        for (Tensor sum : sums) {
          assertThat(numbers(sum)).as(what).isEqualTo(sum(values));
        }
        assertThat(ranks.isEmpty()).as(what).isTrue();
        close(inputs, sums);
      }
    }
  }

  @Test
  void reduce_floatsOfAnyOrder_hasEqualBitsOnAllRanks() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      try (Ranks ranks = ranks(UnaryOperator.identity())) {
        int size = 1 + random.nextInt(5_000);
        List<Tensor> inputs = new ArrayList<>();
        for (int rank = 0; rank < ranks.count(); rank++) {
          float[] values = new float[size];
          for (int i = 0; i < size; i++) {
            values[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(12) - 6));
          }
          inputs.add(SharedTensors.take(Tensor.of(values)));
        }
        List<Tensor> sums =
            ranks.run(CollectiveKind.REDUCE, new CollectiveReduction(Merge.ADD, true), inputs, -1);

        for (Tensor sum : sums) {
          assertThat(sum.toFloats())
              .as(what(round, ranks, DataType.FLOAT, size))
              .isEqualTo(sums.get(0).toFloats());
        }
        close(inputs, sums);
      }
    }
  }

  @Test
  void otherKinds_randomGroups_giveEachRankItsPart() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      try (Ranks ranks = ranks(UnaryOperator.identity())) {
        int part = random.nextInt(3_000);
        int size = part * ranks.count();
        int[][] values = values(ranks.count(), size);
        List<Tensor> inputs = tensors(DataType.INT32, values);
        int source = random.nextInt(ranks.count());
        String what = what(round, ranks, DataType.INT32, size);

        List<Tensor> rows = ranks.run(CollectiveKind.GATHER, SUM, inputs, -1);
        List<Tensor> spread = ranks.run(CollectiveKind.BROADCAST, SUM, inputs, source);
        List<Tensor> swapped = ranks.run(CollectiveKind.ALL_TO_ALL, SUM, inputs, -1);
        List<Tensor> scattered = ranks.run(CollectiveKind.REDUCE_SCATTER, SUM, inputs, -1);

        for (int rank = 0; rank < ranks.count(); rank++) {
          for (int from = 0; from < ranks.count(); from++) {
            int[] gathered = slice(rows.get(rank).toInts(), from * size, size);
            assertThat(gathered).as(what).isEqualTo(values[from]);
            assertThat(slice(swapped.get(rank).toInts(), from * part, part))
                .as(what)
                .isEqualTo(slice(values[from], rank * part, part));
          }
          assertThat(spread.get(rank).toInts()).as(what).isEqualTo(values[source]);
          assertThat(numbers(scattered.get(rank)))
              .as(what)
              .isEqualTo(Arrays.copyOfRange(sum(values), rank * part, (rank + 1) * part));
        }
        close(inputs, rows, spread, swapped, scattered);
      }
    }
  }

  @Test
  void everyKind_anyMessageFails_endsOnAllRanksWithTheReason() throws Exception {
    for (CollectiveKind kind : CollectiveKind.values()) {
      for (boolean ours : List.of(true, false)) {
        int failures = 0;
        while (failsAt(kind, ours, failures)) {
          failures++;
        }
        assertThat(failures).as("messages of a %s", kind).isPositive();
      }
    }
  }

  /** Returns whether the collective has so many messages. */
  private boolean failsAt(CollectiveKind kind, boolean ours, int message) throws Exception {
    FailNth fault = new FailNth(message);
    try (Ranks ranks = new Ranks(List.of(2, 1, 1), ours, fault::around)) {
      List<Tensor> inputs = tensors(DataType.FLOAT, values(4, 40_000));
      int source = kind == CollectiveKind.BROADCAST ? 0 : -1;
      List<CompletableFuture<Tensor>> results = ranks.start(kind, SUM, inputs, source);
      boolean failed = fault.hasFailed();
      if (failed) {
        ranks.abort(new TributaryException(ErrorCode.ABORTED, "the step is over"));
      }
      int unsuccessful = 0;
      for (CompletableFuture<Tensor> result : results) {
        try {
          Ranks.await(result).close();
        } catch (TributaryException e) {
          unsuccessful++;
          assertThat(e.code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.ABORTED);
          assertThat(e).hasMessageContainingAll("instance 1 of group 1", "rank ");
        }
      }
      assertThat(unsuccessful > 0).as("%s, message %d", kind, message).isEqualTo(failed);
      close(inputs);
      return failed;
    }
  }

  /** Fails one request for a chunk, as a member that dies would. */
  private static final class FailNth {
    private final AtomicInteger left;

    FailNth(int message) {
      left = new AtomicInteger(message);
    }

    boolean hasFailed() {
      return left.get() < 0;
    }

    ChunkTransport around(ChunkTransport chunks) {
      return new ChunkTransport() {
        @Override
        public void send(CollectiveMember from, CollectiveMember to, String key, Tensor chunk) {
          chunks.send(from, to, key, chunk);
        }

        @Override
        public void receive(Wanted chunk, Rendezvous.Receiver receiver) {
          if (left.getAndDecrement() == 0) {
            receiver.failed(new TributaryException(ErrorCode.UNAVAILABLE, "the member is gone"));
          } else {
            chunks.receive(chunk, receiver);
          }
        }
      };
    }
  }

  private Ranks ranks(UnaryOperator<ChunkTransport> faults) {
    List<Integer> tasks = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      tasks.add(1 + random.nextInt(3));
    }
    return new Ranks(tasks, random.nextBoolean(), faults);
  }

  /** Small whole numbers, whose sums all types hold. */
  private int[][] values(int ranks, int size) {
    int[][] values = new int[ranks][size];
    for (int[] ofRank : values) {
      for (int i = 0; i < size; i++) {
        ofRank[i] = random.nextInt(17) - 8;
      }
    }
    return values;
  }

  private static List<Tensor> tensors(DataType type, int[][] values) {
    List<Tensor> tensors = new ArrayList<>();
    for (int[] ofRank : values) {
      Tensor tensor = Tensor.allocate(type, Shape.of(ofRank.length));
      for (int i = 0; i < ofRank.length; i++) {
        Numbers.put(tensor, i, ofRank[i]);
      }
      tensors.add(SharedTensors.take(tensor));
    }
    return tensors;
  }

  private static int[] numbers(Tensor tensor) {
    int[] numbers = new int[Math.toIntExact(tensor.elementCount())];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Numbers.get(tensor, i);
    }
    return numbers;
  }

  private static int[] sum(int[][] values) {
    int[] sum = new int[values[0].length];
    for (int[] ofRank : values) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += ofRank[i];
      }
    }
    return sum;
  }

  private static int[] slice(int[] values, int from, int count) {
    return Arrays.copyOfRange(values, from, from + count);
  }

  private static String what(int round, Ranks ranks, DataType type, int size) {
    return String.format(
        "seed %d, round %d: %d ranks, %d of %s", SEED, round, ranks.count(), size, type);
  }

  @SafeVarargs
  private static void close(List<Tensor>... all) {
    for (List<Tensor> tensors : all) {
      tensors.forEach(Tensor::close);
    }
  }
}
