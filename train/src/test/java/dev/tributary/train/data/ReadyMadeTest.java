package dev.tributary.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.tributary.graph.Output;
import dev.tributary.ops.ExampleFeatures;
import dev.tributary.ops.Ops;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordWriter;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.BytesList;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.Int64List;

/** Pipelines from files to batches in one call. */
@NoLeaks
@Timeout(60)
class ReadyMadeTest {
  private static final EpochOptions ONCE = EpochOptions.defaults().withEpochs(1).withoutShuffle();

  @TempDir private Path folder;

  private Path tables() throws IOException {
    Files.writeString(
        folder.resolve("a.csv"), "id,size,name,big\n1,1.5,\"x, y\",1\n2,,z,99999999999\n");
    Files.writeString(folder.resolve("b.csv"), "id,size,name,big\n3,7,,5\n");
    return folder.resolve("*.csv");
  }

  @Test
  void csvDataset_ofInferredColumns_hasTheNarrowestTypes() throws IOException {
    Dataset<Examples> batches = Dataset.makeCsvDataset(tables(), 2, CsvOptions.inferred(), ONCE);

    assertThat(batches.spec())
        .hasToString("(big: int64[?], id: int32[?], name: string[?], size: float[?])");
    assertThat(Rows.of(batches))
        .containsExactly("[1, 99999999999] [1, 2] [x, y, z] [1.5, 0.0]", "[5] [3] [] [7.0]");
  }

  @Test
  void csvDataset_withLabel_keepsItApart() throws IOException {
    Dataset<Pair<Examples, Output>> batches =
        Dataset.makeCsvDataset(
            tables(), 3, CsvOptions.inferred().withSelected("id", "size"), "size", ONCE);

    assertThat(batches.spec()).hasToString("(id: int32[?], float[?])");
    assertThat(Rows.of(batches)).containsExactly("[1, 2, 3] [1.5, 0.0, 7.0]");
  }

  @Test
  void csvDataset_ofDescribedColumns_looksAtNoRow() throws IOException {
    CsvOptions columns =
        CsvOptions.columns(0L, "?").withNames("i", "s", "n", "b").withSelected(0, 2).withHeader();

    assertThat(Rows.of(Dataset.makeCsvDataset(tables(), 3, columns, ONCE)))
        .containsExactly("[1, 2, 3] [x, y, z, ?]");
  }

  @Test
  void csvDataset_shuffled_hasEachRowOnceInAnEpoch() throws IOException {
    EpochOptions shuffled = EpochOptions.defaults().withSeed(7);
    CsvOptions ids = CsvOptions.inferred().withSelected("id");

    List<String> once = Rows.of(Dataset.makeCsvDataset(tables(), 1, ids, shuffled.withEpochs(1)));
    List<String> endless = Rows.of(Dataset.makeCsvDataset(tables(), 2, ids, shuffled).take(3));

    assertThat(new TreeSet<>(once)).containsExactly("[1]", "[2]", "[3]");
    assertThat(endless).hasSize(3).allMatch(row -> row.contains(","));
  }

  @Test
  void csvDataset_ofOtherColumns_namesTheFile() throws IOException {
    Path all = tables();
    Files.writeString(folder.resolve("c.csv"), "id,name\n1,x\n");

    assertThatThrownBy(() -> Dataset.makeCsvDataset(all, 2, CsvOptions.inferred(), ONCE))
        .hasMessageContaining("c.csv is [id, name], but that of ")
        .hasMessageContaining("a.csv is [id, size, name, big]");
    assertThatThrownBy(
            () ->
                Dataset.makeCsvDataset(
                    folder.resolve("a.csv"), 2, CsvOptions.inferred().withSelected("no"), ONCE))
        .hasMessageContaining("no column 'no'; there are [id, size, name, big]");
    assertThatThrownBy(
            () -> Dataset.makeCsvDataset(folder.resolve("*.tsv"), 2, CsvOptions.inferred(), ONCE))
        .hasMessageContaining("No files matched pattern");
  }

  @Test
  void csvRow_withTooFewFields_namesFileAndRecord() throws IOException {
    Path file = Files.writeString(folder.resolve("bad.csv"), "a,b\n1,2\n3\n");
    Dataset<Examples> batches =
        Dataset.makeCsvDataset(file, 1, CsvOptions.inferred().withInferenceRows(1), ONCE);

    assertThatThrownBy(() -> Rows.of(batches))
        .hasMessageContaining("CSVDataset")
        .hasMessageContaining("record 2 of [" + file + "]");
  }

  private static byte[] example(long id, String... tags) {
    Features.Builder features = Features.newBuilder();
    features.putFeature(
        "id", Feature.newBuilder().setInt64List(Int64List.newBuilder().addValue(id)).build());
    BytesList.Builder list = BytesList.newBuilder();
    for (String tag : tags) {
      list.addValue(ByteString.copyFromUtf8(tag));
    }
    features.putFeature("tags", Feature.newBuilder().setBytesList(list).build());
    return Example.newBuilder().setFeatures(features).build().toByteArray();
  }

  private Path examples() {
    Path file = folder.resolve("part.tfrecord");
    try (RecordWriter writer = RecordWriter.create(file, Compression.NONE)) {
      writer.write(example(1, "a", "b"));
      writer.write(example(2));
      writer.write(example(3, "c"));
    }
    return file;
  }

  private static final ExampleFeatures FEATURES =
      ExampleFeatures.none()
          .fixed("id", DataType.INT64, Shape.scalar())
          .varying("tags", DataType.STRING);

  @Test
  void featuresDataset_ofSparseAndDenseOnes_parsesBatches() {
    Dataset<Pair<Examples, Output>> batches =
        Dataset.makeBatchedFeaturesDataset(
            examples(), 2, FEATURES, "id", FileOptions.defaults(), ONCE);
    Dataset<Pair<Output, Output>> dense =
        batches.map((tf, e) -> Pair.of(e.second(), filled(tf, e.first())));

    assertThat(Rows.of(dense)).containsExactly("[1, 2] [[a, b], [, ]]", "[3] [[c]]");
  }

  private static Output filled(Ops tf, Examples examples) {
    var tags = examples.sparse("tags");
    return tf.sparse.toDense(tags, tf.constant(""));
  }

  @Test
  void sparseFeatures_throughAMap_stayTheSame() {
    Dataset<Examples> parsed =
        Dataset.makeBatchedFeaturesDataset(examples(), 3, FEATURES, FileOptions.defaults(), ONCE);
    Dataset<Examples> mapped = parsed.map((tf, e) -> e.and("twice", e.sparse("tags")));

    assertThat(Rows.of(mapped.map((tf, e) -> filled(tf, e.without("twice")))))
        .containsExactly("[[a, b], [, ], [c, ]]");
    assertThatThrownBy(() -> mapped.map((tf, e) -> e.get("tags")).spec())
        .hasMessageContaining("feature 'tags' is sparse: ask for sparse(\"tags\")");
  }

  @Test
  void parseExamples_ofSingleOnes_saysToBatch() {
    assertThatThrownBy(
            () -> Dataset.parseExamples(Dataset.tfRecords(examples()), FEATURES, 2).spec())
        .hasMessageContaining("put batch before it");
  }
}
