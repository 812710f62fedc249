package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFileTest {
  @TempDir private Path folder;

  @Test
  void section_written_leavesTheRest() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("results.md"),
            "a\n<!-- begin x -->\n<!-- end x -->\nb\n<!-- begin y -->\nold\n<!-- end y -->\nc\n");
    new ResultsFile(file).write("y", "new\n");
    assertThat(file)
        .hasContent(
            "a\n<!-- begin x -->\n<!-- end x -->\nb\n<!-- begin y -->\nnew\n<!-- end y -->\nc\n");
  }

  @Test
  void section_thatIsMissing_isNamedAndNothingWritten() throws IOException {
    Path file = Files.writeString(folder.resolve("results.md"), "a\n<!-- end x -->\n");
    assertThatThrownBy(() -> new ResultsFile(file).write("x", "new\n"))
        .hasMessageContaining("no section 'x'")
        .hasMessageContaining("<!-- begin x -->");
    assertThat(file).hasContent("a\n<!-- end x -->\n");
  }
}
