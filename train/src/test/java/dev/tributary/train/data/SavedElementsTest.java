package dev.tributary.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.record.Compression;
import dev.tributary.session.Session;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Datasets that are saved, loaded, and kept as snapshots. */
@NoLeaks
@Timeout(60)
class SavedElementsTest {
  @TempDir private Path folder;

  @Test
  void savedElements_loaded_areTheSame() {
    Dataset<Pair<Output, Output>> dataset = numbered(200);

    dataset.save(folder.resolve("saved"));

    Dataset<Pair<Output, Output>> loaded = Dataset.load(folder.resolve("saved"), dataset.spec());
    assertThat(Rows.of(loaded)).isEqualTo(Rows.of(dataset));
    assertThat(Rows.of(loaded.shuffle(10, 3).batch(7))).hasSize(29);
  }

  @Test
  void savedElements_packed_areReadAsPacked() {
    Dataset<Pair<Output, Output>> dataset = numbered(5);
    Ops tf = Ops.create();
    try (Session session = Session.local(tf.graph())) {
      session.run(dataset.save(tf, folder, Compression.GZIP));
    } finally {
      tf.graph().close();
    }

    assertThat(Rows.of(Dataset.load(folder, dataset.spec(), Compression.GZIP)))
        .isEqualTo(Rows.of(dataset));
    assertThatThrownBy(() -> Rows.of(Dataset.load(folder, dataset.spec())))
        .hasMessageContaining("LoadDataset")
        .hasMessageContaining("00000000.snapshot");
  }

  @Test
  void savedElements_thatAreNotThereOrOfOtherTypes_sayWhatIs() throws IOException {
    Dataset<Pair<Output, Output>> dataset = numbered(3);
    Path nothing = folder.resolve("nothing");
    assertThatThrownBy(() -> Rows.of(Dataset.load(nothing, dataset.spec())))
        .hasMessageContaining("LoadDataset")
        .hasMessageContaining("no elements are saved in '" + nothing + "'");

    dataset.save(folder);
    assertThatThrownBy(() -> Rows.of(Dataset.load(folder, Dataset.range(1).spec())))
        .hasMessageContaining("components of types [DT_INT64, DT_STRING]");

    Files.writeString(folder.resolve("snapshot.metadata"), "no metadata");
    assertThatThrownBy(() -> Rows.of(Dataset.load(folder, dataset.spec())))
        .hasMessageContaining("snapshot.metadata is damaged");
  }

  @Test
  void damagedFile_ofSavedElements_isNamedWithItsPlace() throws IOException {
    numbered(3).save(folder);
    Path chunk =
        files(folder).stream().filter(f -> f.toString().endsWith(".snapshot")).findAny().get();
    byte[] content = Files.readAllBytes(chunk);
    content[content.length / 2] ^= 1;
    Files.write(chunk, content);

    assertThatThrownBy(() -> Rows.of(Dataset.load(folder, numbered(3).spec())))
        .hasMessageContaining("LoadDataset")
        .hasMessageContaining(chunk.toString())
        .hasMessageContaining("offset");
  }

  @Test
  void snapshot_ofACompletePass_takesThePlaceOfTheInput() {
    int[] calls = new int[1];
    Iterable<Long> numbers =
        () -> {
          calls[0]++;
          return LongStream.range(0, 100).iterator();
        };
    Dataset<Output> counted = Dataset.generator(numbers, Dataset.range(1).spec());
    Dataset<Output> snapshot = counted.snapshot(folder);

    List<String> partial = Rows.of(snapshot.take(3));
    List<String> first = Rows.of(snapshot);
    List<String> second = Rows.of(snapshot);
    List<String> twice = Rows.of(snapshot.repeat(2));

    assertThat(partial).containsExactly("0", "1", "2");
    assertThat(first).hasSize(100).isEqualTo(second);
    assertThat(twice).hasSize(200);
    assertThat(calls[0]).as("passes over the input").isEqualTo(2);
  }

  @Test
  void save_ofAFailingElement_leavesNothingToLoad() {
    Dataset<Output> failing =
        Dataset.range(5)
            .map((tf, x) -> tf.math.floorDiv(tf.constant(8L), tf.sub(x, tf.constant(3L))));

    assertThatThrownBy(() -> failing.save(folder)).hasMessageContaining("FloorDiv");
    assertThatThrownBy(() -> Rows.of(Dataset.load(folder, failing.spec())))
        .hasMessageContaining("no elements are saved");
  }

  private static Dataset<Pair<Output, Output>> numbered(int count) {
    String[] names = IntStream.range(0, count).mapToObj(i -> "n" + i).toArray(String[]::new);
    return Dataset.zip(Dataset.range(count), Dataset.tensorSlices(names));
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
