package dev.tributary.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
@Timeout(60)
class AbandonedPartsTest {
  @TempDir private Path folder;

  @Test
  void remove_fileThatThisProcessWrites_leavesIt() throws IOException {
    Path whole = folder.resolve("file");
    try (PartFile file = PartFile.create(whole)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2}));
      assertThat(AbandonedParts.remove(folder)).isEmpty();
      file.commit();
    }

    assertThat(Files.readAllBytes(whole)).containsExactly(1, 2);
    assertThat(files()).containsExactly(whole);
  }

  @Test
  void remove_fileOfAnotherProcess_waitsForItsEnd() throws Exception {
    Process writer = start(folder.resolve("file"));
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(said.readLine()).isEqualTo("writing");
      List<Path> written = files();
      assertThat(written).hasSize(1);

      assertThat(AbandonedParts.remove(folder)).isEmpty();
      assertThat(files()).isEqualTo(written);

      writer.destroyForcibly();
      assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(files()).isEqualTo(written);
      assertThat(AbandonedParts.removeOld(folder)).isEmpty();
      assertThat(AbandonedParts.remove(folder)).isEqualTo(written);
      assertThat(files()).isEmpty();
    } finally {
      writer.destroyForcibly();
    }
  }

  @Test
  void remove_fileOfAWriterThatTakesNoLock_waitsUntilItIsOld() throws IOException {
    Path stocks = Files.write(folder.resolve("m.index.tempstate1234567"), new byte[1]);
    Path older = Files.write(folder.resolve("m.index.tempstate-77"), new byte[1]);
    assertThat(AbandonedParts.remove(folder)).isEmpty();

    FileTime old = FileTime.from(Instant.now().minus(AbandonedParts.SILENCE.multipliedBy(2)));
    Files.setLastModifiedTime(stocks, old);
    Files.setLastModifiedTime(older, old);

    assertThat(AbandonedParts.remove(folder)).containsExactlyInAnyOrder(stocks, older);
    assertThat(files()).isEmpty();
  }

  @Test
  void remove_otherNames_leavesThem() throws IOException {
    Path notes = Files.write(folder.resolve("notes.tempstate-of-things"), new byte[1]);
    Files.setLastModifiedTime(notes, FileTime.fromMillis(0));
    Path named = Files.createDirectory(folder.resolve("folder.tempstate-0123456789abcdef"));

    assertThat(AbandonedParts.remove(folder)).isEmpty();
    assertThat(files()).containsExactlyInAnyOrder(notes, named);
    assertThat(AbandonedParts.remove(folder.resolve("none"))).isEmpty();
  }

  private static Process start(Path file) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            PartWriterMain.class.getName(),
            file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
