package dev.tributary.app.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.internal.bundle.BundleWriter;
import dev.tributary.internal.bundle.CheckpointState;
import dev.tributary.internal.bundle.ShapeAndSlice;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointCommandTest {
  @TempDir private Path folder;
  private Path prefix;

  @BeforeEach
  void writeCheckpoint() {
    prefix = folder.resolve("model.ckpt-7");
    try (BundleWriter writer = BundleWriter.create(prefix);
        Tensor weights = Tensor.of(1f, 2f, 3f, Float.NaN);
        Tensor labels = Tensor.of("a", "b");
        Tensor part = Tensor.of(5L, 7L)) {
      writer.add("dense/kernel", weights);
      writer.add("labels", labels);
      writer.add("sliced", ShapeAndSlice.parse("2 0,2"), part);
      writer.finish();
    }
  }

  @Test
  void checkpoint_prefix_listsTensorsWithStatistics() {
    CommandOutcome outcome = CommandOutcome.of("checkpoint", prefix.toString());

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines().toList())
        .anyMatch(
            line ->
                line.matches(
                    "dense/kernel +float +\\[4\\] +1.00000 +2.00000 +3.00000 +0.816497 +1 not"
                        + " finite"))
        .anyMatch(line -> line.matches("labels +string +\\[2\\]"))
        .anyMatch(line -> line.matches("sliced +int64 +\\[2\\] +5.* 6.* 7.* 1.* 1 slices"))
        .anyMatch(line -> line.endsWith("3 tensors with 8 elements, 1 shard"));
  }

  @Test
  void checkpoint_folder_takesItsLatest() {
    new CheckpointState("model.ckpt-7", List.of("model.ckpt-7")).write(folder);

    CommandOutcome outcome = CommandOutcome.of("checkpoint", folder.toString(), "--name", "dense");

    assertThat(outcome.out()).contains("dense/kernel", "1 tensors").doesNotContain("labels");
  }

  @Test
  void checkpoint_folderWithoutState_namesWhatItHas() {
    CommandOutcome outcome = CommandOutcome.of("checkpoint", folder.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("no checkpoint", prefix.toString());
  }

  @Test
  void checkpoint_damagedOrMissing_tellsWhich() throws IOException {
    Path data = BundleFiles.data(prefix, 0, 1);
    byte[] content = Files.readAllBytes(data);
    content[0]++;
    Files.write(data, content);

    assertThat(CommandOutcome.of("checkpoint", prefix.toString()).err())
        .contains("dense/kernel", data.toString());
    assertThat(CommandOutcome.of("checkpoint", folder.resolve("none").toString()).err())
        .contains("none.index");
  }
}
