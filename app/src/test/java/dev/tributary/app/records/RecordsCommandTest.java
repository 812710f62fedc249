package dev.tributary.app.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordReader;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;

/** Record files from the command line. */
class RecordsCommandTest {
  @TempDir private Path folder;

  @Test
  void make_csv_hasAFeatureForEachColumn() throws IOException {
    CommandOutcome made = make(csv(5), "--shards", "2");

    assertThat(made.exitCode()).as(made.err()).isZero();
    assertThat(made.out()).contains("5 records in 2 files", "train.manifest.json");
    assertThat(files())
        .containsExactly(
            "table.csv",
            "train-00000-of-00002.tfrecord",
            "train-00001-of-00002.tfrecord",
            "train.manifest.json");
    List<Example> examples = examples(0, 2, Compression.NONE);
    assertThat(examples).hasSize(3);
    Example second = examples.get(1); // Of rows 0, 2 and 4.
    assertThat(feature(second, "id").getInt64List().getValue(0)).isEqualTo(2);
    assertThat(feature(second, "weight").getFloatList().getValue(0)).isEqualTo(2.5f);
    assertThat(feature(second, "name").getBytesList().getValue(0).toStringUtf8())
        .isEqualTo("row, 2");
    assertThat(examples(1, 2, Compression.NONE).get(0).getFeatures().getFeatureMap())
        .as("an empty field is no feature")
        .doesNotContainKey("weight");
  }

  @Test
  void make_anyNumberOfWorkers_givesTheSameFiles() throws IOException {
    Path csv = csv(100);
    assertThat(make(csv, "--shards", "5", "--workers", "1").exitCode()).isZero();
    byte[] one = Files.readAllBytes(shard(3, 5));
    assertThat(make(csv, "--shards", "5", "--workers", "4", "--overwrite").exitCode()).isZero();

    assertThat(Files.readAllBytes(shard(3, 5))).isEqualTo(one);
  }

  @Test
  void make_gzip_isReadByTheOtherCommands() throws IOException {
    assertThat(make(csv(4), "--shards", "1", "--gzip").exitCode()).isZero();

    assertThat(examples(0, 1, Compression.GZIP)).hasSize(4);
    CommandOutcome verified = CommandOutcome.of("records", "verify", manifest());
    assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();
    assertThat(verified.out()).contains("4 good records; 0 problems in 0 of 1 files");
    assertThat(CommandOutcome.of("records", "show", manifest(), "--count", "1").out())
        .contains("record 0 at offset 0", "name    bytes  \"row, 0\"", "id      int64  0");
  }

  @Test
  void make_filesThatExist_areNotReplacedUnasked() throws IOException {
    assertThat(make(csv(4), "--shards", "1").exitCode()).isZero();

    CommandOutcome again = make(csv(4), "--shards", "1");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("train-00000-of-00001.tfrecord exists: give --overwrite");
  }

  @Test
  void make_rowOfAnotherLength_isNamedAndLeavesNothing() throws IOException {
    Path csv = csv(3);
    Files.writeString(csv, Files.readString(csv) + "7,8\n");

    CommandOutcome made = make(csv);
    assertThat(made.exitCode()).isEqualTo(2);
    assertThat(made.err()).contains("row 4 has 2 fields, wanted 3: [id, weight, name]");
    assertThat(files()).containsExactly("table.csv");
  }

  @Test
  void make_imageFolders_areClassesInTheOrderOfTheirNames() throws IOException {
    Path images = folder.resolve("images");
    image(images.resolve("dogs/rex.png"), 3, 2);
    image(images.resolve("cats/tom.png"), 4, 5);

    assertThat(make(images, "--shards", "1").exitCode()).isZero();
    Example cat = examples(0, 1, Compression.NONE).get(0);
    assertThat(feature(cat, "image/class/text").getBytesList().getValue(0).toStringUtf8())
        .isEqualTo("cats");
    assertThat(feature(cat, "image/class/label").getInt64List().getValue(0)).isZero();
    assertThat(feature(cat, "image/height").getInt64List().getValue(0)).isEqualTo(4);
    assertThat(feature(cat, "image/encoded").getBytesList().getValue(0).toByteArray())
        .isEqualTo(Files.readAllBytes(images.resolve("cats/tom.png")));
    assertThat(Files.readString(Path.of(manifest()))).contains("\"cats\"", "\"dogs\"");
  }

  @Test
  void make_imageThatIsNone_isNamedAndLeavesNothing() throws IOException {
    Path images = folder.resolve("images");
    image(images.resolve("cats/tom.png"), 4, 5);
    Files.writeString(images.resolve("cats/notes.txt"), "meow");

    CommandOutcome made = make(images, "--shards", "1");
    assertThat(made.exitCode()).isEqualTo(2);
    assertThat(made.err()).contains("notes.txt", "One of JPEG, PNG, GIF, BMP required");
    assertThat(files()).containsExactly("images");
  }

  @Test
  void make_idxFiles_areImagesWithTheirLabels() throws IOException {
    Path idx = folder.resolve("t-images-idx3-ubyte");
    Files.write(idx, idx(0x803, new int[] {2, 1, 3}, 1, 2, 3, 4, 5, 6));
    Files.write(folder.resolve("t-labels-idx1-ubyte"), idx(0x801, new int[] {2}, 7, 9));

    assertThat(make(idx, "--shards", "1").exitCode()).isZero();
    Example second = examples(0, 1, Compression.NONE).get(1);
    assertThat(feature(second, "image_raw").getBytesList().getValue(0).toByteArray())
        .containsExactly(4, 5, 6);
    assertThat(feature(second, "label").getInt64List().getValue(0)).isEqualTo(9);
    assertThat(feature(second, "width").getInt64List().getValue(0)).isEqualTo(3);
  }

  @Test
  void make_tasksOfACluster_makeAShareEach() throws IOException {
    Path csv = csv(10);
    String cluster = "{\"worker\": [\"h0:2222\", \"h1:2222\"]}";
    CommandOutcome first = make(csv, "--shards", "3", "--cluster", cluster, "--task", "0");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out()).contains("7 records in 2 files", "other tasks are not ready");
    assertThat(files()).doesNotContain("train.manifest.json");

    CommandOutcome second = make(csv, "--shards", "3", "--cluster", cluster, "--task", "1");
    assertThat(second.out()).contains("3 records in 1 files", "manifest ");
    assertThat(CommandOutcome.of("records", "verify", manifest()).out())
        .contains("10 good records; 0 problems in 0 of 3 files");
  }

  @Test
  void make_clusterWithoutTask_asksForIt() throws IOException {
    CommandOutcome made = make(csv(3), "--cluster", "{\"worker\": [\"h0:2222\"]}");

    assertThat(made.exitCode()).isEqualTo(2);
    assertThat(made.err()).contains("which task of the cluster is this? Give --task, one of [0]");
  }

  @Test
  void verify_damagedRecord_isNamedWithItsOffsetAndTheRestIsRead() throws IOException {
    assertThat(make(csv(4), "--shards", "1").exitCode()).isZero();
    List<Long> offsets = offsets(shard(0, 1));
    flip(shard(0, 1), offsets.get(1) + 20);

    CommandOutcome verified = CommandOutcome.of("records", "verify", manifest());
    assertThat(verified.exitCode()).isEqualTo(1);
    assertThat(verified.out())
        .contains(
            "record file " + shard(0, 1) + " at offset " + offsets.get(1) + ": corrupted record",
            "3 good records; 1 problem in 1 of 1 files");
  }

  @Test
  void verify_truncatedAndMissingFiles_areNamed() throws IOException {
    assertThat(make(csv(4), "--shards", "2").exitCode()).isZero();
    byte[] whole = Files.readAllBytes(shard(0, 2));
    Files.write(shard(0, 2), java.util.Arrays.copyOf(whole, whole.length - 3));
    Files.delete(shard(1, 2));

    CommandOutcome verified = CommandOutcome.of("records", "verify", manifest());
    assertThat(verified.exitCode()).isEqualTo(1);
    assertThat(verified.out())
        .contains("truncated record", "there is no record file " + shard(1, 2), "2 problems");
  }

  @Test
  void verify_fewerRecordsThanTheManifestSays_isAProblem() throws IOException {
    assertThat(make(csv(4), "--shards", "1").exitCode()).isZero();
    byte[] whole = Files.readAllBytes(shard(0, 1));
    Files.write(
        shard(0, 1), java.util.Arrays.copyOf(whole, (int) (long) offsets(shard(0, 1)).get(3)));

    CommandOutcome verified = CommandOutcome.of("records", "verify", manifest());
    assertThat(verified.exitCode()).isEqualTo(1);
    assertThat(verified.out()).contains("has 3 records, its manifest says 4");
  }

  @Test
  void stats_ofExamples_countsEachFeature() throws IOException {
    assertThat(make(csv(5), "--shards", "2").exitCode()).isZero();

    CommandOutcome stats = CommandOutcome.of("records", "stats", manifest());
    assertThat(stats.exitCode()).as(stats.err()).isZero();
    assertThat(stats.out().lines().toList())
        .anyMatch(line -> line.matches("feature +kind +records +values +min +max +mean"))
        .anyMatch(line -> line.matches("id +int64 +5 +1 +0 +4 +2"))
        .anyMatch(line -> line.matches("name +bytes +5 +1 +6 +6 +6"))
        .anyMatch(line -> line.matches("weight +float +4 +1 +0.500000 +4.50000 +2.75000"))
        .anyMatch(line -> line.matches("5 records, [0-9]+ bytes, in 2 files"));
  }

  @Test
  void show_fileThatIsMissing_isOneLine() {
    CommandOutcome shown = CommandOutcome.of("records", "show", "none.tfrecord");

    assertThat(shown.exitCode()).isEqualTo(1);
    assertThat(shown.err())
        .isEqualToIgnoringNewLines("tributary: there is no record file none.tfrecord");
  }

  // ---- files ----

  private CommandOutcome make(Path source, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("records", "make", source.toString(), folder.resolve("train").toString()));
    arguments.addAll(List.of(more));
    return CommandOutcome.of(arguments.toArray(String[]::new));
  }

  /** Rows with an integer, a number that row 1 has not, and a text. */
  private Path csv(int rows) throws IOException {
    StringBuilder text = new StringBuilder("id,weight,name\n");
    for (int i = 0; i < rows; i++) {
      text.append(i).append(',').append(i == 1 ? "" : i + 0.5).append(",\"row, ").append(i);
      text.append("\"\n");
    }
    return Files.writeString(folder.resolve("table.csv"), text);
  }

  private static void image(Path file, int height, int width) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(
        file, PngImages.encode(new Pixels(height, width, 3, new byte[height * width * 3]), -1));
  }

  private static byte[] idx(int magic, int[] sizes, int... content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(magic);
    for (int size : sizes) {
      out.writeInt(size);
    }
    for (int value : content) {
      out.writeByte(value);
    }
    return bytes.toByteArray();
  }

  private Path shard(int shard, int shards) {
    return new RecordSet(folder.resolve("train"), shards).file(shard);
  }

  private String manifest() {
    return folder.resolve("train.manifest.json").toString();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private List<Example> examples(int shard, int shards, Compression compression)
      throws IOException {
    List<Example> examples = new ArrayList<>();
    try (RecordReader reader = RecordReader.open(shard(shard, shards), compression)) {
      for (Optional<byte[]> r = reader.next(); r.isPresent(); r = reader.next()) {
        examples.add(Example.parseFrom(r.get()));
      }
    }
    return examples;
  }

  private static List<Long> offsets(Path file) {
    List<Long> offsets = new ArrayList<>();
    try (RecordReader reader = RecordReader.open(file)) {
      do {
        offsets.add(reader.offset());
      } while (reader.next().isPresent());
    }
    return offsets;
  }

  private static void flip(Path file, long at) throws IOException {
    byte[] content = Files.readAllBytes(file);
    content[(int) at] ^= 1;
    Files.write(file, content);
  }

  private static Feature feature(Example example, String name) {
    return example.getFeatures().getFeatureOrThrow(name);
  }
}
