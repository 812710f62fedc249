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

/** What is written is what is read, however it lies in memory. */
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
        ByteBuffer bytes = random.nextBoolean() ? aligned(piece) : ByteBuffer.wrap(piece);
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
  void beginBlock_afterAFewBytes_fillsUpWithZeros() throws IOException {
    byte[] large = new byte[2 * BLOCK + 5];
    new Random(2).nextBytes(large);
    Path path = folder.resolve("file");
    long begin;
    try (UncachedFile file = UncachedFile.create(path)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      file.beginBlock();
      begin = file.size();
      file.beginBlock();
      assertThat(file.size()).isEqualTo(begin);
      file.write(aligned(large));
      file.commit();
    }

    byte[] read = Files.readAllBytes(path);
    assertThat(read).hasSize((int) begin + large.length).startsWith(1, 2, 3).endsWith(large);
    assertThat(read[(int) begin - 1]).isEqualTo(begin == 3 ? (byte) 3 : 0);
  }

  @Test
  void close_withoutCommit_leavesNothing() throws IOException {
    try (UncachedFile file = UncachedFile.create(folder.resolve("file"))) {
      file.write(aligned(new byte[3 * BLOCK]));
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

  /** A buffer that begins where a block may. */
  private static ByteBuffer aligned(byte[] content) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(content.length + 2 * BLOCK).alignedSlice(BLOCK);
    return buffer.put(content).flip();
  }
}
