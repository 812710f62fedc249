package dev.tributary.graph.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.GraphDef;

class GraphFilesTest {
  @TempDir Path directory;

  @Test
  void read_whatWasWritten_isTheSameInBothForms() {
    for (GraphDef graph : List.of(GoldenGraphs.dense(), GoldenGraphs.loop(), GoldenGraphs.cond())) {
      Path file = directory.resolve("models/graph");
      GraphFiles.writeBinary(file, graph);
      assertThat(GraphFiles.read(file)).isEqualTo(graph);
      GraphFiles.writeText(file, graph);
      assertThat(GraphFiles.read(file)).isEqualTo(graph);
    }
  }

  @Test
  void write_done_leavesTheFileOnly() throws IOException {
    GraphFiles.writeText(directory.resolve("graph.pbtxt"), GoldenGraphs.loop());

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("graph.pbtxt"));
    }
  }

  @Test
  void read_textWithCommentsInFront_isRead() throws IOException {
    Path file = Files.writeString(directory.resolve("g"), "\n# mine\n" + GoldenGraphs.loop());

    assertThat(GraphFiles.read(file)).isEqualTo(GoldenGraphs.loop());
  }

  @Test
  void read_missingFile_isNotFound() {
    assertFails(directory.resolve("none.pb"), ErrorCode.NOT_FOUND);
  }

  @Test
  void read_directory_isRefused() {
    assertFails(directory, ErrorCode.FAILED_PRECONDITION);
  }

  @Test
  void read_emptyFile_isDataLoss() throws IOException {
    assertFails(Files.createFile(directory.resolve("empty")), ErrorCode.DATA_LOSS);
  }

  @Test
  void read_truncatedFile_isDataLoss() throws IOException {
    byte[] whole = GoldenGraphs.dense().toByteArray();
    Path file = directory.resolve("cut.pb");
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    assertFails(file, ErrorCode.DATA_LOSS);

    String text = GoldenGraphs.dense().toString();
    Files.writeString(file, text.substring(0, text.length() / 2));
    assertFails(file, ErrorCode.DATA_LOSS);
  }

  @Test
  void read_garbage_isDataLoss() throws IOException {
    byte[] noise = new byte[1000];
    new Random(1).nextBytes(noise);
    Path file = directory.resolve("noise");
    assertFails(Files.write(file, noise), ErrorCode.DATA_LOSS);
    assertFails(Files.writeString(file, "Dear reader, this is no graph."), ErrorCode.DATA_LOSS);
    assertFails(Files.writeString(file, "node { name: 'a' }}"), ErrorCode.DATA_LOSS);
  }

  @Test
  void read_textNestedWithoutEnd_isDataLoss() throws IOException {
    String nested = "node { attr { key: 'a' value { " + "func { attr { value { ".repeat(20_000);

    assertFails(Files.writeString(directory.resolve("deep"), nested), ErrorCode.DATA_LOSS);
  }

  private static void assertFails(Path file, ErrorCode code) {
    TributaryException e =
        catchThrowableOfType(() -> GraphFiles.read(file), TributaryException.class);

    assertThat(e).isNotNull();
    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
    assertThat(e.getMessage()).contains(file.toString());
  }
}
