package dev.tributary.train.data;

import static dev.tributary.tensor.DataType.INT64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Properties of any pipeline, on random ones. */
@NoLeaks
@Timeout(120)
class PipelinePropertiesTest {
  private static final int PIPELINES = 12;

  /** A pipeline of a few random stages whose elements are int64 scalars, the same in each pass. */
  private static Dataset<Output> random(Random random) {
    Dataset<Output> dataset = Dataset.range(random.nextInt(20) + 1);
    for (int stage = random.nextInt(5); stage >= 0; stage--) {
      dataset = then(dataset, random);
    }
    return dataset;
  }

  private static Dataset<Output> then(Dataset<Output> input, Random random) {
    int number = random.nextInt(5) + 1;
    return switch (random.nextInt(11)) {
      case 0 -> input.map((tf, x) -> tf.add(x, tf.constant((long) number)));
      case 1 -> input.map((tf, x) -> tf.mul(x, tf.constant((long) number)), number);
      case 2 -> input.filter((tf, x) -> tf.notEqual(x, tf.constant((long) number)));
      case 3 -> input.batch(number).unbatch();
      case 4 -> input.shuffle(number, number, false);
      case 5 -> input.concatenate(Dataset.range(number));
      case 6 -> input.prefetch(number);
      case 7 -> input.take(30).repeat(2);
      case 8 -> input.take(10).interleave((tf, x) -> Dataset.tensor(x).repeat(2), number, 2);
      case 9 -> input.window(number).flatMap((tf, window) -> window);
      default -> input.skip(number / 3);
    };
  }

  @RepeatedTest(PIPELINES)
  void shards_together_areAllElementsOnce(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    Dataset<Output> dataset = random(random);
    int shards = random.nextInt(4) + 1;
    List<String> together = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      together.addAll(Rows.of(dataset.shard(shards, i)));
    }

    assertThat(together).as("%s", dataset).containsExactlyInAnyOrderElementsOf(Rows.of(dataset));
  }

  @RepeatedTest(PIPELINES)
  void autoShares_ofElements_areThoseOfShard(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    Dataset<Output> dataset = random(random);
    int workers = random.nextInt(4) + 1;
    for (int i = 0; i < workers; i++) {
      List<String> share = Rows.of(dataset.shard(workers, i));
      for (AutoShard policy : List.of(AutoShard.DATA, AutoShard.AUTO)) {
        Dataset<Output> shared = dataset.prefetch(2).autoShard(workers, i, policy);
        assertThat(Rows.of(shared)).as("%s", dataset).isEqualTo(share);
      }
      Dataset<Output> whole = dataset.autoShard(workers, i, AutoShard.OFF);
      assertThat(Rows.of(whole)).isEqualTo(Rows.of(dataset));
    }
  }

  /** The files are shuffled without a seed, otherwise by each worker. */
  @Test
  void autoShares_ofFiles_areTogetherAllLinesOnce(@TempDir Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      names.add(Files.writeString(folder.resolve(name), name + "1\n" + name + "2").toString());
    }
    Dataset<Output> files = Dataset.tensorSlices(names.toArray(new String[0])).shuffle(9);
    Dataset<Output> lines = Dataset.textLines(files, FileOptions.defaults());
    List<String> together = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<String> share = Rows.of(lines.autoShard(3, i, AutoShard.FILE));
      assertThat(share).hasSize(i < 2 ? 4 : 2);
      together.addAll(share);
    }

    assertThat(together).containsExactlyInAnyOrderElementsOf(Rows.of(lines));
  }

  @RepeatedTest(PIPELINES)
  void takeAndSkip_ofTheSameNumber_areAllInOrder(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    Dataset<Output> dataset = random(random);
    int first = random.nextInt(12);
    List<String> joined = new ArrayList<>(Rows.of(dataset.take(first)));
    joined.addAll(Rows.of(dataset.skip(first)));

    assertThat(joined).as("%s", dataset).isEqualTo(Rows.of(dataset));
    assertThat(Rows.of(dataset.take(first).concatenate(dataset.skip(first))))
        .as("%s", dataset)
        .isEqualTo(joined);
  }

  @RepeatedTest(PIPELINES)
  void shuffle_anyBuffer_keepsElementsAndMovesNoneTooFarForward(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    int buffer = random.nextInt(8) + 1;
    Dataset<Output> dataset = Dataset.range(random.nextInt(30) + 1);
    List<String> shuffled = Rows.of(dataset.shuffle(buffer, run.getCurrentRepetition()));
    List<String> sorted = new ArrayList<>(shuffled);
    sorted.sort((a, b) -> Integer.compare(Integer.parseInt(a), Integer.parseInt(b)));

    assertThat(sorted).isEqualTo(Rows.of(dataset));
    for (int i = 0; i < shuffled.size(); i++) {
      assertThat(i).isGreaterThanOrEqualTo(Integer.parseInt(shuffled.get(i)) - buffer + 1);
    }
  }

  @RepeatedTest(PIPELINES)
  void parallelMap_deterministic_isTheSequentialOne(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    Dataset<Output> dataset = random(random);
    List<String> sequential = Rows.of(dataset.map((tf, x) -> tf.square(x)));

    assertThat(Rows.of(dataset.map((tf, x) -> tf.square(x), 4)))
        .as("%s", dataset)
        .isEqualTo(sequential);
    List<String> anyOrder =
        new ArrayList<>(Rows.of(dataset.map((tf, x) -> tf.square(x), 4, false)));
    List<String> wanted = new ArrayList<>(sequential);
    Collections.sort(anyOrder);
    Collections.sort(wanted);
    assertThat(anyOrder).as("%s", dataset).isEqualTo(wanted);
  }

  @RepeatedTest(PIPELINES)
  void parallelInterleave_ofAnyCycle_isTheSequentialOne(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    Dataset<Output> dataset = random(random);
    int cycle = random.nextInt(5) + 1;
    int block = random.nextInt(3) + 1;
    int calls = random.nextInt(cycle) + 1;
    BiFunction<Ops, Output, Dataset<Output>> repeated =
        (tf, x) ->
            Dataset.zip(Dataset.tensor(x).repeat(), Dataset.range(5))
                .filter((f, e) -> f.lessEqual(e.second(), f.math.floorMod(e.first(), five(f))))
                .map((f, e) -> f.add(e.first(), e.second()));

    assertThat(Rows.of(dataset.interleave(repeated, cycle, block, calls)))
        .as("%s, cycle %d, block %d, calls %d", dataset, cycle, block, calls)
        .isEqualTo(Rows.of(dataset.interleave(repeated, cycle, block)));
    assertThat(Rows.of(dataset.interleave(repeated, cycle, block, calls, false)))
        .as("%s, cycle %d, block %d, calls %d, any order", dataset, cycle, block, calls)
        .containsExactlyInAnyOrderElementsOf(Rows.of(dataset.interleave(repeated, cycle, block)));
  }

  @RepeatedTest(PIPELINES)
  void parallelFilter_isTheSequentialOne(RepetitionInfo run) {
    Dataset<Output> dataset = random(new Random(run.getCurrentRepetition()));

    assertThat(Rows.of(dataset.filter((tf, x) -> tf.less(x, five(tf)), 3)))
        .as("%s", dataset)
        .isEqualTo(Rows.of(dataset.filter((tf, x) -> tf.less(x, five(tf)))));
  }

  @Test
  void rejectionResample_ofUnequalClasses_makesThemEqual() {
    Dataset<Output> classes =
        Dataset.range(4000)
            .map((tf, x) -> tf.cast(tf.less(tf.math.floorMod(x, five(tf)), tf.constant(1L)), INT64))
            .rejectionResample((tf, x) -> x, new double[] {0.5, 0.5}, new double[] {0.8, 0.2}, 3);

    List<String> kept = Rows.of(classes);

    assertThat(Collections.frequency(kept, "1")).as("all of the rare class").isEqualTo(800);
    assertThat(Collections.frequency(kept, "0")).isBetween(680, 920);
    assertThatThrownBy(
            () -> classes.rejectionResample((tf, x) -> x, new double[] {1}, new double[] {0}, 1))
        .hasMessageContaining("class 0 has the part 0.0 and shall have 1.0");
  }

  private static Output five(Ops f) {
    return f.constant(5L);
  }

  @RepeatedTest(PIPELINES)
  void loop_inGraphAndInJava_areEqual(RepetitionInfo run) {
    Dataset<Output> dataset = random(new Random(run.getCurrentRepetition()));

    assertThat(Rows.of(dataset.mapJava(dataset.spec(), e -> e.get(0))))
        .as("%s", dataset)
        .isEqualTo(Rows.of(dataset));
  }
}
