package dev.tributary.internal.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.bundle.CheckpointFolder.Checked;
import dev.tributary.internal.bundle.CheckpointFolder.Condition;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.PartFile;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFolderTest {
  @TempDir private Path folder;

  @Test
  void check_wholeCheckpoint_isIntact() {
    Path prefix = write("m-1");

    assertThat(CheckpointFolder.check(prefix)).isEqualTo(intact(prefix));
  }

  @Test
  void check_damagedFiles_saysWhatIsWrong() throws IOException {
    Path prefix = write("m-1");
    Path index = BundleFiles.index(prefix);
    Path data = BundleFiles.data(prefix, 0, 1);
    byte[] wholeIndex = Files.readAllBytes(index);
    byte[] wholeData = Files.readAllBytes(data);

    Files.write(data, Arrays.copyOf(wholeData, wholeData.length - 1));
    assertDamaged(prefix, "its data file m-1.data-00000-of-00001 has 11 bytes, 12 are needed");
    Files.delete(data);
    assertDamaged(prefix, "its data file m-1.data-00000-of-00001 is missing");
    Files.write(data, wholeData);
    Files.write(index, Arrays.copyOf(wholeIndex, wholeIndex.length / 2));
    assertDamaged(prefix, "m-1.index is damaged");
    byte[] changed = wholeIndex.clone();
    changed[3] ^= 1;
    Files.write(index, changed);
    assertDamaged(prefix, "checksum");
    Files.delete(index);
    assertDamaged(prefix, "its index m-1.index is missing");
    Files.write(index, wholeIndex);
    assertThat(CheckpointFolder.check(prefix).isIntact()).isTrue();
  }

  @Test
  void check_nothingThere_isAbsent() {
    assertThat(CheckpointFolder.check(folder.resolve("m-1")).condition())
        .isEqualTo(Condition.ABSENT);
    assertThat(CheckpointFolder.check(folder.resolve("no/folder/m-1")).condition())
        .isEqualTo(Condition.ABSENT);
  }

  @Test
  void check_firstFormatOfTensorFlow_isDamagedByName() throws IOException {
    Path prefix = Files.write(folder.resolve("m-1"), new byte[10]);

    assertDamaged(prefix, "first checkpoint format");
  }

  @Test
  void newestFirst_byStateFile_followsIt() {
    write("m-1", "m-2", "m-3");
    new CheckpointState("m-2", List.of("m-3", "m-1", "m-2")).write(folder);

    assertThat(newestFirst()).containsExactly("m-2", "m-1", "m-3");
    assertThat(CheckpointFolder.list(folder).stateProblem()).isEmpty();
  }

  @Test
  void newestFirst_withoutStateFile_followsTheSteps() throws IOException {
    write("m-900", "m-1000", "m-5");
    // As after a copy, which has the files in the order of their names.
    touch("m-1000", Instant.ofEpochSecond(100));
    touch("m-5", Instant.ofEpochSecond(200));
    touch("m-900", Instant.ofEpochSecond(300));

    assertThat(newestFirst()).containsExactly("m-1000", "m-900", "m-5");
    assertThat(stateProblem()).contains("is missing");
    Files.createFile(folder.resolve("checkpoint"));
    assertThat(stateProblem()).contains("is empty");
    Files.write(folder.resolve("checkpoint"), "what?".getBytes(StandardCharsets.UTF_8));
    assertThat(stateProblem()).contains("cannot be understood");
    Files.write(folder.resolve("checkpoint"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThat(stateProblem()).contains("cannot be understood");
    assertThat(newestFirst()).containsExactly("m-1000", "m-900", "m-5");
  }

  @Test
  void newestFirst_checkpointsThatAreNotNamed_comeAfterThose() {
    write("m-1", "m-2", "m-99");
    new CheckpointState("m-2", List.of("m-1", "m-2")).write(folder);
    touch("m-99", Instant.ofEpochSecond(100));

    assertThat(newestFirst()).containsExactly("m-2", "m-1", "m-99");
    assertThat(CheckpointFolder.list(folder).newerThanState()).isEmpty();
  }

  @Test
  void newestFirst_writtenAfterTheStateFile_comesAfterTheLatest() {
    write("m-1", "m-2");
    new CheckpointState("m-2", List.of("m-1", "m-2")).write(folder);
    write("m-3");
    touch("m-3", Instant.now().plusSeconds(10));

    assertThat(newestFirst()).containsExactly("m-2", "m-3", "m-1");
    assertThat(CheckpointFolder.list(folder).newerThanState())
        .containsExactly(folder.resolve("m-3"));
  }

  @Test
  void newestFirst_folderThatWasMoved_isFoundByNames() {
    write("m-1", "m-2");
    new CheckpointState("/gone/m-2", List.of("/gone/m-1", "/gone/m-2")).write(folder);

    assertThat(CheckpointFolder.list(folder).newestFirst())
        .containsExactly(folder.resolve("m-2"), folder.resolve("m-1"));
  }

  @Test
  void newestFirst_dataOfAnInterruptedSave_isNoCheckpoint() throws IOException {
    Path prefix = write("m-1");
    Files.delete(BundleFiles.index(prefix));

    assertThat(newestFirst()).isEmpty();
    assertThat(CheckpointFolder.list(folder).remains()).containsExactly("m-1");
    assertThat(CheckpointFolder.list(folder).hasFiles()).isTrue();
    Files.write(folder.resolve("m-1.meta"), new byte[1]);
    assertThat(newestFirst()).containsExactly("m-1");
    assertThat(CheckpointFolder.list(folder).remains()).isEmpty();
  }

  @Test
  void list_noFolder_hasNothing() {
    CheckpointFolder none = CheckpointFolder.list(folder.resolve("none"));

    assertThat(none.newestFirst()).isEmpty();
    assertThat(none.hasFiles()).isFalse();
  }

  @Test
  void finish_killedWhileReplacing_leavesTheOldCheckpointUsable() throws IOException {
    Path prefix = write("m");
    new CheckpointState("m", List.of("m")).write(folder);

    ReplacedBundle.withdraw(FileRoot.anywhere(), prefix);
    PartFile.write(BundleFiles.data(prefix, 0, 1), new byte[1]);

    assertThat(newestFirst()).containsExactly("m", "m.replaced");
    assertThat(CheckpointFolder.check(prefix).isIntact()).isFalse();
    try (BundleReader old = BundleReader.open(folder.resolve("m.replaced"));
        Tensor numbers = old.read("numbers")) {
      assertThat(numbers.getFloat(2)).isEqualTo(3);
    }
    // The next save of that name makes it superfluous.
    write("m");
    assertThat(newestFirst()).containsExactly("m");
    assertThat(folder.resolve("m.replaced.data-00000-of-00001")).doesNotExist();
  }

  @Test
  void finish_overAnIntactCheckpoint_leavesOneOfThem() throws IOException {
    write("m");
    Path prefix = write("m");

    assertThat(CheckpointFolder.check(prefix).isIntact()).isTrue();
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("m.index", "m.data-00000-of-00001");
    }
  }

  private Path write(String... names) {
    Path last = folder;
    for (String name : names) {
      last = folder.resolve(name);
      try (BundleWriter writer = BundleWriter.create(last);
          Tensor numbers = Tensor.of(1f, 2f, 3f)) {
        writer.add("numbers", numbers);
        writer.finish();
      }
    }
    return last;
  }

  private void touch(String name, Instant time) {
    try {
      Files.setLastModifiedTime(BundleFiles.index(folder.resolve(name)), FileTime.from(time));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> newestFirst() {
    return CheckpointFolder.list(folder).newestFirst().stream()
        .map(prefix -> prefix.getFileName().toString())
        .toList();
  }

  private String stateProblem() {
    return CheckpointFolder.list(folder).stateProblem().orElseThrow();
  }

  private static Checked intact(Path prefix) {
    return new Checked(prefix, Condition.INTACT, "");
  }

  private static void assertDamaged(Path prefix, String problem) {
    Checked checked = CheckpointFolder.check(prefix);
    assertThat(checked.condition()).isEqualTo(Condition.DAMAGED);
    assertThat(checked.problem()).contains(problem);
  }
}
