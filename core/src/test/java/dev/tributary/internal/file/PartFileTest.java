package dev.tributary.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartFileTest {
  @TempDir private Path folder;

  @Test
  void commit_replacesTheOldFile() throws IOException {
    Path path = folder.resolve("sub/file");
    PartFile.write(path, new byte[] {1});
    try (PartFile file = PartFile.create(path)) {
      file.write(ByteBuffer.wrap(new byte[] {2, 3}));
      assertThat(Files.readAllBytes(path)).containsExactly(1);
      file.commit();
    }

    assertThat(Files.readAllBytes(path)).containsExactly(2, 3);
    assertThat(filesIn(path.getParent())).containsExactly(path);
  }

  @Test
  void close_withoutCommit_leavesNothing() throws IOException {
    try (PartFile file = PartFile.create(folder.resolve("file"))) {
      file.write(ByteBuffer.wrap(new byte[100]));
    }

    assertThat(filesIn(folder)).isEmpty();
  }

  @Test
  void create_belowAFile_tellsThatItIsNoFolder() {
    Path file = folder.resolve("file");
    PartFile.write(file, new byte[1]);

    TributaryException failure =
        catchThrowableOfType(
            TributaryException.class, () -> PartFile.create(file.resolve("below")));

    assertThat(failure.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
    assertThat(failure).hasMessageContaining(file.resolve("below").toString());
  }

  @Test
  void failure_ofFullDisk_isResourceExhausted() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "needs a device that is always full");
    try (FileChannel channel = FileChannel.open(full, StandardOpenOption.WRITE)) {
      IOException cause =
          catchThrowableOfType(
              IOException.class, () -> channel.write(ByteBuffer.wrap(new byte[10])));

      TributaryException failure = FileFailure.of("write", full, cause);

      assertThat(failure.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
      assertThat(failure).hasMessage("cannot write /dev/full: No space left on device");
    }
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
