package dev.tributary.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileRootTest {
  @TempDir private Path folder;

  @Test
  void resolve_anywhere_takesNamesAsTheyAre() {
    assertThat(FileRoot.anywhere().resolve("a/../b")).isEqualTo(Path.of("a/../b"));
    assertThat(FileRoot.anywhere().resolve("file:///x/y")).isEqualTo(Path.of("/x/y"));
  }

  @Test
  void resolve_underFolder_findsRelativeAndAbsoluteNames() throws IOException {
    Path real = folder.toRealPath();
    FileRoot root = FileRoot.under(folder);

    assertThat(root.resolve("model/ckpt")).isEqualTo(real.resolve("model/ckpt"));
    assertThat(root.resolve(real.resolve("a").toString())).isEqualTo(real.resolve("a"));
    assertThat(root.resolve("a/../b")).isEqualTo(real.resolve("b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../x", "a/../../x", "/etc/passwd", "file:///etc/passwd", "link/x", "link"})
  void resolve_nameThatLeavesTheFolder_isDenied(String name) throws IOException {
    Path inside = Files.createDirectory(folder.resolve("inside"));
    Files.createSymbolicLink(
        inside.resolve("link"), Files.createDirectory(folder.resolve("other")));

    TributaryException refusal =
        catchThrowableOfType(TributaryException.class, () -> FileRoot.under(inside).resolve(name));

    assertThat(refusal.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    assertThat(refusal).hasMessageContaining("'" + name + "'");
  }

  @Test
  void resolve_danglingLink_isRefused() throws IOException {
    Path inside = Files.createDirectory(folder.resolve("inside"));
    Files.createSymbolicLink(inside.resolve("link"), folder.resolve("not-there"));

    assertThat(
            catchThrowableOfType(
                TributaryException.class, () -> FileRoot.under(inside).resolve("link")))
        .isNotNull();
  }

  @Test
  void resolve_otherFileSystem_isUnimplemented() {
    TributaryException refusal =
        catchThrowableOfType(
            TributaryException.class, () -> FileRoot.anywhere().resolve("gs://bucket/model"));

    assertThat(refusal.code()).isEqualTo(ErrorCode.UNIMPLEMENTED);
    assertThat(refusal).hasMessageContaining("'gs'");
  }

  @Test
  void resolve_nul_isInvalid() {
    assertThat(
            catchThrowableOfType(
                    TributaryException.class, () -> FileRoot.anywhere().resolve("a\0b"))
                .code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }
}
