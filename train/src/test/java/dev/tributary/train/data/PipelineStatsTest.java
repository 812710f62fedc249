package dev.tributary.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.util.Iterator;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports of pipelines on themselves. */
@NoLeaks
@Timeout(60)
class PipelineStatsTest {
  private static final ElementSpec<Output> NUMBER =
      ElementSpec.tensor(DataType.INT64, Shape.scalar());

  @Test
  void stats_ofAPassInTheMiddle_countElementsOfEachStage() {
    try (Iteration pass = Dataset.range(20).map((tf, x) -> tf.square(x)).batch(3).iterate()) {
      assertThat(pass.stats().stages()).isEmpty();
      Iterator<Elements> batches = pass.iterator();
      batches.next();
      batches.next();

      assertThat(pass.stats().stages())
          .extracting(stage -> stage.stage().replaceAll(" .*", ""), StageStats::elements)
          .containsExactly(
              tuple("BatchDatasetV2", 2L), tuple("MapDataset", 6L), tuple("RangeDataset", 6L));
    }
  }

  @Test
  void stats_behindTheLastElement_areThoseOfTheEnd() {
    Iteration pass = Dataset.range(4).prefetch(2).iterate();
    pass.forEach(element -> {});

    assertThat(pass.stats().stages().get(1).elements()).isEqualTo(4);
    assertThat(pass.stats().stages().get(0).capacity()).isEqualTo(2);
    assertThat(pass.stats().toString()).contains("PrefetchDataset", "per second", "0/2");
  }

  @Test
  void slowest_oneStageThatTakesLong_isIt() {
    Dataset<Output> dataset =
        Dataset.range(5)
            .mapJava(
                NUMBER,
                e -> {
                  long until = System.nanoTime() + 2_000_000;
                  while (System.nanoTime() < until) {
                    LockSupport.parkNanos(until - System.nanoTime());
                  }
                  return e.get(0);
                })
            .batch(2);
    Iteration pass = dataset.iterate();
    pass.forEach(element -> {});

    assertThat(pass.stats().slowest())
        .hasValueSatisfying(stage -> assertThat(stage.stage()).startsWith("ParallelMapDatasetV2"));
  }
}
