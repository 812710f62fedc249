package dev.tributary.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
  void resolve_danglingLink_isDeniedLikeOneThatLeadsSomewhere() throws IOException {
    Path inside = Files.createDirectory(folder.resolve("inside"));
    Files.createSymbolicLink(inside.resolve("link"), folder.resolve("not-there"));

    assertThat(
            catchThrowableOfType(
                    TributaryException.class, () -> FileRoot.under(inside).resolve("link"))
                .code())
        .isEqualTo(ErrorCode.PERMISSION_DENIED);
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "a/..", "file://"})
  void resolve_theFolderItself_isDenied(String name) {
    assertThat(
            catchThrowableOfType(
                    TributaryException.class, () -> FileRoot.under(folder).resolve(name))
                .code())
        .isEqualTo(ErrorCode.PERMISSION_DENIED);
  }

  @Test
  void resolve_emptyName_isInvalidEverywhere() {
    for (FileRoot root : List.of(FileRoot.anywhere(), FileRoot.under(folder))) {
      assertThat(catchThrowableOfType(TributaryException.class, () -> root.resolve("")).code())
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void open_fileThatBecameALinkOut_isDenied() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Path inside = Files.createDirectory(folder.resolve("inside"));
    FileRoot root = FileRoot.under(inside);
    Path file = root.resolve("file");
    Files.createSymbolicLink(file, secret);

    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> root.open(file),
            () -> root.stream(file),
            () -> root.read(file),
            () -> root.write(file, new byte[1]))) {
      assertThat(catchThrowableOfType(TributaryException.class, use).code())
          .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }
    assertThat(secret).hasContent("secret");
  }

  @Test
  void readAndWrite_sizesAroundTheChunk_giveTheSame() throws IOException {
    FileRoot root = FileRoot.under(folder);
    for (int size : new int[] {0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20}) {
      byte[] content = new byte[size];
      new Random(size).nextBytes(content);
      Path path = root.resolve("sub/file");

      root.write(path, content);

      assertThat(root.read(path)).isEqualTo(content);
    }
  }

  @Test
  void read_fileThatHasMoreThanItSays_isReadToItsEnd() throws IOException {
    Path status = Path.of("/proc/self/status");
    assumeTrue(Files.exists(status), "this system has no " + status);

    assertThat(new String(FileRoot.anywhere().read(status), StandardCharsets.UTF_8))
        .contains("VmRSS");
  }

  @Test
  void open_device_isRefused() {
    Path zero = Path.of("/dev/zero");
    assumeTrue(Files.exists(zero), "this system has no " + zero);

    assertThat(catchThrowableOfType(TributaryException.class, () -> FileRoot.anywhere().read(zero)))
        .hasMessageContaining("regular files only");
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
