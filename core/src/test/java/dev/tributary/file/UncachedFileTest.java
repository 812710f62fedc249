package dev.tributary.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is what is read, however it is cut. */
class UncachedFileTest {
  private static final int BLOCK = 4096;

  @TempDir private Path folder;

  @Test
  void write_ofAnyPieces_givesTheirBytes() throws IOException {
    Random random = new Random(1);
    ByteArrayOutputStream wanted = new ByteArrayOutputStream();
    Path path = folder.resolve("sub/file");
    try (UncachedFile file = UncachedFile.create(path)) {
      for (int size : new int[] {1, BLOCK, 3 * BLOCK + 1, 0, 5_000_000, 7, 1 << 20, 100}) {
        byte[] piece = new byte[size];
        random.nextBytes(piece);
        ByteBuffer bytes = ByteBuffer.wrap(piece);
        file.write(bytes);
        assertThat(bytes.hasRemaining()).isFalse();
        wanted.write(piece);
        assertThat(file.size()).isEqualTo(wanted.size());
      }
      assertThat(path).doesNotExist();
      file.commit();
    }

    assertThat(Files.readAllBytes(path)).isEqualTo(wanted.toByteArray());
  }

  @Test
  void close_withoutCommit_leavesNothing() throws IOException {
    try (UncachedFile file = UncachedFile.create(folder.resolve("file"))) {
      file.write(ByteBuffer.wrap(new byte[3 * BLOCK]));
    }

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void create_belowAFile_tellsThatItIsNoFolder() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[1]);

    TributaryException failure =
        catchThrowableOfType(
            TributaryException.class, () -> UncachedFile.create(file.resolve("below")));

    assertThat(failure.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
  }
}
