package dev.tributary.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.nio.file.ExtendedOpenOption;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is what is read, however it is cut. */
class UncachedFileTest {
  private static final int BLOCK = 4096;

  @TempDir private Path folder;

  @Test
  void write_ofAnyPieces_givesTheirBytes() throws IOException {
    writePieces(folder.resolve("sub/file"));
  }

  @Test
  void write_whereTheFileSystemKnowsNoDirectWrites_givesTheSameBytes() throws IOException {
    try (FileSystem zip =
        FileSystems.newFileSystem(folder.resolve("files.zip"), Map.of("create", "true"))) {
      Path path = zip.getPath("/sub/file");
      assertThatThrownBy(() -> PartFile.create(path, Set.of(ExtendedOpenOption.DIRECT)).close())
          .isInstanceOfAny(IllegalArgumentException.class, UnsupportedOperationException.class);

      writePieces(path);
    }
  }

  /** Memory as a disk: older kernels refuse direct writes there, newer ones do not. */
  @Test
  void write_toMemoryDisk_givesTheSameBytes() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory), "no disk in memory");
    Path path = Files.createTempDirectory(memory, "uncached").resolve("file");
    try {
      writePieces(path);
    } finally {
      Files.deleteIfExists(path);
      Files.delete(path.getParent());
    }
  }

  private static void writePieces(Path path) throws IOException {
    Random random = new Random(1);
    ByteArrayOutputStream wanted = new ByteArrayOutputStream();
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
