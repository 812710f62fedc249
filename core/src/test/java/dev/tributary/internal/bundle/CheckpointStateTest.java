package dev.tributary.internal.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointStateTest {
  @TempDir private Path folder;

  @Test
  void write_paths_givesTensorFlowsText() throws IOException {
    new CheckpointState("model.ckpt-200", List.of("model.ckpt-100", "model.ckpt-200"))
        .write(folder);

    assertThat(Files.readString(folder.resolve("checkpoint")))
        .isEqualTo(
            """
            model_checkpoint_path: "model.ckpt-200"
            all_model_checkpoint_paths: "model.ckpt-100"
            all_model_checkpoint_paths: "model.ckpt-200"
            """);
  }

  @Test
  void read_whatWasWritten_givesTheSame() {
    CheckpointState state =
        new CheckpointState(
            "/a \"quoted\"\\\u00e9",
            List.of("b", "/a \"quoted\"\\\u00e9"),
            List.of(1.5, 2e9),
            OptionalDouble.of(3.25));
    state.write(folder);

    assertThat(CheckpointState.read(folder)).contains(state);
  }

  @Test
  void read_missingOrBrokenFile_givesNothing() throws IOException {
    assertThat(CheckpointState.read(folder)).isEmpty();
    for (String text : List.of("", "model_checkpoint_path: \"unfinis", "hello", "\0\1\2")) {
      Files.writeString(folder.resolve("checkpoint"), text);
      assertThat(CheckpointState.read(folder)).as(text).isEmpty();
    }
  }

  @Test
  void latestCheckpoint_indexMissing_givesNothing() throws IOException {
    new CheckpointState("m-1", List.of("m-1")).write(folder);
    assertThat(CheckpointState.latestCheckpoint(folder)).isEmpty();

    Files.createFile(folder.resolve("m-1.index"));
    assertThat(CheckpointState.latestCheckpoint(folder)).contains(folder.resolve("m-1"));
  }
}
