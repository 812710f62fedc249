package dev.tributary.internal.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.file.AbandonedParts;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.PartFile;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptedSavesTest {
  private static final String LOCKABLE = ".tempstate-0123456789abcdef";

  @TempDir private Path folder;

  @Test
  void removeAll_remainsOfOwnSaves_areGone() throws IOException {
    file("m-1.data-00000-of-00001" + LOCKABLE);
    file("m-1.index" + LOCKABLE);
    file("checkpoint" + LOCKABLE);
    file("m-2_temp/part-00000-of-00002.data-00000-of-00001");
    file("m-2_temp/part-00000-of-00002.index");
    file("m-2_temp/part-00001-of-00002.data-00000-of-00001" + LOCKABLE);

    InterruptedSaves.removeAll(folder, "m");

    assertThat(names()).isEmpty();
  }

  @Test
  void removeAll_checkpointsAndOtherFiles_stay() throws IOException {
    save("m-1");
    file("events.out.tfevents.1");
    file("m-2_temp/notes");
    file("export-7_temp/part-00000-of-00002.index");

    InterruptedSaves.removeAll(folder, "m");

    assertThat(names())
        .containsExactlyInAnyOrder(
            "events.out.tfevents.1",
            "export-7_temp",
            "export-7_temp/part-00000-of-00002.index",
            "m-1.data-00000-of-00001",
            "m-1.index",
            "m-2_temp",
            "m-2_temp/notes");
  }

  @Test
  void removeAll_partThatIsStillWritten_keepsItsFolder() throws IOException {
    file("m-2_temp/part-00000-of-00002.index");
    try (PartFile part = PartFile.create(folder.resolve("m-2_temp/part-00001-of-00002.index"))) {
      InterruptedSaves.removeAll(folder, "m");
      part.commit();
    }

    assertThat(names())
        .containsExactlyInAnyOrder(
            "m-2_temp", "m-2_temp/part-00000-of-00002.index", "m-2_temp/part-00001-of-00002.index");
  }

  @Test
  void removeAll_replacedCheckpoint_goesWhenTheNewOneIsIntact() throws IOException {
    Path prefix = save("m");
    ReplacedBundle.withdraw(FileRoot.anywhere(), prefix);
    InterruptedSaves.removeAll(folder, "m");
    assertThat(names()).contains("m.replaced.index");

    Files.copy(folder.resolve("m.replaced.index"), folder.resolve("m.index"));
    InterruptedSaves.removeAll(folder, "m");

    assertThat(names()).containsExactlyInAnyOrder("m.index", "m.data-00000-of-00001");
  }

  @Test
  void save_besideRemains_removesThoseThatAreOld() throws IOException {
    file("m-3_temp/part-00000-of-00002.index");
    file("m-3.index" + LOCKABLE);
    age(file("m-1.index" + LOCKABLE));
    Path old = file("m-2_temp/part-00000-of-00002.index");
    age(old);
    age(old.getParent());

    save("m-4");

    assertThat(names())
        .containsExactlyInAnyOrder(
            "m-3_temp",
            "m-3_temp/part-00000-of-00002.index",
            "m-3.index" + LOCKABLE,
            "m-4.data-00000-of-00001",
            "m-4.index");
  }

  @Test
  void merge_besideRemains_removesThoseThatAreOld() throws IOException {
    age(file("m-1.index" + LOCKABLE));
    save("m-4_temp/part-00000-of-00001");

    BundleMerge.run(
        FileRoot.anywhere(),
        List.of(folder.resolve("m-4_temp/part-00000-of-00001")),
        folder.resolve("m-4"),
        true,
        false);

    assertThat(names()).containsExactlyInAnyOrder("m-4.data-00000-of-00001", "m-4.index");
  }

  private static void age(Path file) throws IOException {
    Files.setLastModifiedTime(
        file, FileTime.from(Instant.now().minus(AbandonedParts.SILENCE.multipliedBy(2))));
  }

  private Path file(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, new byte[3]);
  }

  private Path save(String name) {
    Path prefix = folder.resolve(name);
    try (BundleWriter writer = BundleWriter.create(prefix);
        Tensor numbers = Tensor.of(1f, 2f, 3f)) {
      writer.add("numbers", numbers);
      writer.finish();
    }
    return prefix;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> !file.equals(folder))
          .map(file -> folder.relativize(file).toString())
          .toList();
    }
  }
}
