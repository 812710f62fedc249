package dev.tributary.bench.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.bench.LoopbackCluster;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Small sizes on real processes; the runs are too short for the figures to mean much. */
@Tag("processes")
@Timeout(120)
class MeasuredLinesTest {
  @TempDir private Path folder;

  @Test
  void replicaComparison_ofBothModes_hasRatioOfEachRound() {
    List<Rounds> measured = new ReplicaComparison(2, 0.05).measure();
    assertThat(measured)
        .extracting(Rounds::quantity)
        .containsExactly(Quantity.MLP_ASYNC, Quantity.MLP_SYNC, Quantity.MLP_RATIO);
    for (int round = 0; round < 2; round++) {
      double async = measured.get(0).values().get(round);
      double sync = measured.get(1).values().get(round);
      assertThat(async).isPositive();
      assertThat(measured.get(2).values().get(round)).isEqualTo(sync / async);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void checkpointRun_ofAFewTables_savesRestoresAndTrains() {
    List<Rounds> measured = new CheckpointRun(1, 16, folder, 0.1).measure();
    assertThat(measured)
        .extracting(Rounds::quantity)
        .contains(Quantity.SAVE_RATIO, Quantity.RESTORE_RATIO, Quantity.SLOWDOWN);
    assertThat(folder.resolve("model.ckpt-0.data-00001-of-00002")).doesNotExist();
    assertThat(folder.resolve("background.ckpt-0.data-00001-of-00002")).exists();
  }

  @Test
  void checkpointModel_thatForgot_isRestored() {
    try (LoopbackCluster cluster = LoopbackCluster.start(1);
        CheckpointModel model = new CheckpointModel(target(cluster), 1, 16)) {
      float before = model.probe();
      assertThat(before).isNotZero();
      model.save(folder.resolve("model"));
      model.forget();
      model.restore(folder.resolve("model"));
      assertThat(model.probe()).isEqualTo(before);
    }
  }

  private static String target(LoopbackCluster cluster) {
    return "grpc://" + cluster.spec().jobs().get("worker").get(0);
  }
}
