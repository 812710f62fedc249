package dev.tributary.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePatternTest {
  @TempDir private Path folder;

  @BeforeEach
  void makeFiles() throws IOException {
    for (String name : List.of("a1", "a2", "b1", "x*y", "sub/a1", "sub/.hidden")) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
  }

  @Test
  void matches_eachWildcard_findsWhatFits() {
    assertThat(names("a*")).containsExactlyInAnyOrder("a1", "a2");
    assertThat(names("?1")).containsExactlyInAnyOrder("a1", "b1");
    assertThat(names("[!a]1")).containsExactly("b1");
    assertThat(names("[a-b]1")).containsExactlyInAnyOrder("a1", "b1");
    assertThat(names("x\\*y")).containsExactly("x*y");
    assertThat(names("s*/*")).containsExactlyInAnyOrder("sub/a1", "sub/.hidden");
    assertThat(names("*/a1")).containsExactly("sub/a1");
  }

  @Test
  void matches_nothingOrPlainName_isNoError() {
    assertThat(names("none/*/x")).isEmpty();
    assertThat(names("[z-a]*")).isEmpty();
    assertThat(names("b1")).containsExactly("b1");
    assertThat(names("b9")).isEmpty();
  }

  @Test
  void matches_belowAFolderThatCannotBeRead_isDenied() throws IOException {
    Path sub = folder.resolve("sub");
    Files.setPosixFilePermissions(sub, PosixFilePermissions.fromString("-wx------"));
    assumeFalse(Files.isReadable(sub), "this user may read all folders");

    TributaryException failure =
        catchThrowableOfType(TributaryException.class, () -> names("sub/*"));

    assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    assertThat(failure).hasMessageContaining("sub");
  }

  @Test
  void matches_outsideOfTheRoot_isDenied() {
    FileRoot root = FileRoot.under(folder.resolve("sub"));

    assertThat(FilePattern.matches(root, "a*")).hasSize(1);
    assertThatThrownBy(() -> FilePattern.matches(root, folder + "/*"))
        .isInstanceOf(TributaryException.class);
    assertThatThrownBy(() -> FilePattern.matches(root, "../*"))
        .isInstanceOf(TributaryException.class);
    assertThat(FilePattern.matches(root, "*/../../a*")).isEmpty();
  }

  @Test
  void matches_linkOutOfTheRoot_isLeftOut() throws IOException {
    Path sub = folder.resolve("sub");
    FileRoot root = FileRoot.under(sub);
    Files.createSymbolicLink(sub.resolve("out"), folder);
    Files.createSymbolicLink(sub.resolve("in"), Files.createDirectory(sub.resolve("real")));
    Files.createFile(sub.resolve("real/file"));

    assertThat(FilePattern.matches(root, "o*")).isEmpty();
    assertThat(FilePattern.matches(root, "*/b1")).isEmpty();
    assertThat(FilePattern.matches(root, "*/*"))
        .extracting(name -> sub.toRealPath().relativize(Path.of(name)).toString())
        .containsExactlyInAnyOrder("in/file", "real/file");
    assertThatThrownBy(() -> FilePattern.matches(root, "out/*"))
        .isInstanceOf(TributaryException.class);
    assertThat(FilePattern.matches(FileRoot.anywhere(), sub + "/o*/b1")).hasSize(1);
  }

  private List<String> names(String pattern) {
    return FilePattern.matches(FileRoot.anywhere(), folder + "/" + pattern).stream()
        .map(name -> folder.relativize(Path.of(name)).toString())
        .toList();
  }
}
