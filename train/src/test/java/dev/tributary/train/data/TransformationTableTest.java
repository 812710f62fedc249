package dev.tributary.train.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordWriter;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A row for each source and transformation, with the elements that it must give. The orders of
 * shuffles and interleaves are those that stock TensorFlow 2.18 has for the same seeds.
 */
@NoLeaks
@Timeout(60)
class TransformationTableTest {
  @TempDir private static Path folder;

  private record Row(String name, Dataset<?> dataset, List<String> elements) {}

  private static Row row(String name, Dataset<?> dataset, String... elements) {
    return new Row(name, dataset, List.of(elements));
  }

  /** A row whose elements are scalars, with spaces between them. */
  private static Row scalars(String name, Dataset<?> dataset, String elements) {
    return new Row(name, dataset, elements.isEmpty() ? List.of() : List.of(elements.split(" +")));
  }

  @TestFactory
  Stream<DynamicTest> elements_ofEachRow_areThose() throws IOException {
    List<Row> rows = new ArrayList<>(sources());
    rows.addAll(files());
    rows.addAll(selections());
    rows.addAll(orders());
    rows.addAll(batches());
    rows.addAll(functions());
    rows.addAll(mixtures());
    rows.addAll(groups());
    rows.addAll(tables());
    return rows.stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.name(),
                    () -> {
                      assertThat(Rows.of(row.dataset())).isEqualTo(row.elements());
                      assertThat(Rows.of(row.dataset().take(2)))
                          .isEqualTo(row.elements().subList(0, Math.min(2, row.elements().size())));
                    }));
  }

  private static List<Row> sources() {
    return List.of(
        row("tensor", Dataset.tensor(new float[] {1, 2}), "[1.0, 2.0]"),
        row("tensorSlices", Dataset.tensorSlices(new int[][] {{1, 2}, {3, 4}}), "[1, 2]", "[3, 4]"),
        row(
            "tensorSlices of two",
            Dataset.tensorSlices(new String[] {"a", "b"}, new long[] {1, 2}),
            "a 1",
            "b 2"),
        row(
            "tensorSlices of names, which are sorted",
            Dataset.tensorSlices(Map.of("b", new long[] {1, 2}, "a", new long[] {3, 4})),
            "3 1",
            "4 2"),
        scalars("range", Dataset.range(4), "0 1 2 3"),
        scalars("range with a step", Dataset.range(5, -2, -3), "5 2 -1"),
        scalars("empty range", Dataset.range(0), ""),
        row(
            "zip ends with the shorter",
            Dataset.zip(Dataset.range(9), Dataset.range(5, 7, 1)),
            "0 5",
            "1 6"),
        row(
            "zip of three",
            Dataset.zip(List.of(Dataset.range(2), Dataset.range(4, 6, 1), Dataset.range(7, 9, 1))),
            "0 4 7",
            "1 5 8"),
        row("enumerate", Dataset.tensorSlices(new String[] {"x", "y"}).enumerate(5), "5 x", "6 y"));
  }

  private static List<Row> files() throws IOException {
    Files.writeString(folder.resolve("b.txt"), "three\n\nlast");
    Files.writeString(folder.resolve("a.txt"), "one\r\ntwo\n");
    Files.writeString(folder.resolve("fixed.bin"), "HHaabbccF");
    try (RecordWriter writer =
        RecordWriter.create(folder.resolve("packed.tfrecord"), Compression.GZIP)) {
      writer.write("first".getBytes(StandardCharsets.UTF_8));
      writer.write("second".getBytes(StandardCharsets.UTF_8));
    }
    Dataset<Output> texts = Dataset.listFiles(folder.resolve("?.txt").toString());
    return List.of(
        row(
            "listFiles",
            texts,
            folder.resolve("a.txt").toString(),
            folder.resolve("b.txt").toString()),
        row(
            "textLines",
            Dataset.textLines(folder.resolve("*.txt")),
            "one",
            "two",
            "three",
            "",
            "last"),
        row(
            "textLines of two files in turns",
            Dataset.textLines(texts, FileOptions.defaults().withParallelReads(2)),
            "one",
            "three",
            "two",
            "",
            "last"),
        scalars(
            "fixedLength",
            Dataset.fixedLength(
                Dataset.tensor(folder.resolve("fixed.bin").toString()),
                2,
                2,
                1,
                FileOptions.defaults()),
            "aa bb cc"),
        scalars(
            "tfRecords, packed",
            Dataset.tfRecords(
                Dataset.tensor(folder.resolve("packed.tfrecord").toString()),
                FileOptions.defaults().withCompression(Compression.GZIP)),
            "first second"));
  }

  private static List<Row> selections() {
    Dataset<Output> five = Dataset.range(5);
    return List.of(
        scalars("concatenate", five.concatenate(Dataset.range(2)), "0 1 2 3 4 0 1"),
        scalars("repeat", Dataset.range(2).repeat(3), "0 1 0 1 0 1"),
        scalars("repeat 0 times", five.repeat(0), ""),
        scalars("repeat of nothing without end", Dataset.range(0).repeat(), ""),
        scalars("repeat without end", Dataset.range(2).repeat().take(5), "0 1 0 1 0"),
        scalars("take", five.take(3), "0 1 2"),
        scalars("take more than there are", five.take(9), "0 1 2 3 4"),
        scalars("take all", five.take(-1), "0 1 2 3 4"),
        scalars("skip", five.skip(3), "3 4"),
        scalars("skip all", five.skip(-1), ""),
        scalars("shard", Dataset.range(8).shard(3, 1), "1 4 7"),
        scalars("prefetch", five.prefetch(2), "0 1 2 3 4"),
        scalars("prefetch, chosen", five.prefetch(Dataset.AUTOTUNE), "0 1 2 3 4"),
        scalars("apply", five.apply(all -> all.skip(1).take(2)), "1 2"));
  }

  private static List<Row> orders() {
    Dataset<Output> ten = Dataset.range(10);
    Dataset<Output> twice =
        Dataset.range(1, 7, 1).interleave((tf, x) -> Dataset.tensor(x).repeat(2), 2, 1);
    return List.of(
        scalars("shuffle", ten.shuffle(5, 42, false), "2 5 1 7 0 8 6 9 3 4"),
        scalars(
            "shuffle, another order in each pass",
            ten.shuffle(5, 42).repeat(2),
            "0 2 3 6 7 9 1 8 4 5 3 5 2 1 8 4 0 7 9 6"),
        scalars(
            "shuffleAndRepeat",
            ten.shuffleAndRepeat(5, 2, 42),
            "0 2 3 6 7 9 1 8 4 5 3 5 2 1 8 4 0 7 9 6"),
        scalars("counter", Dataset.counter(3, -2).take(3), "3 1 -1"),
        scalars(
            "interleave, cycle 2, block 4",
            sevens(2, 4),
            "1 1 1 1 2 2 2 2 1 1 1 2 2 3 3 3 3 4 4 4 4 3 5 5 5 6 6"),
        scalars(
            "interleave, cycle 3, block 2",
            sevens(3, 2),
            "1 1 2 2 3 3 1 1 2 2 3 3 1 1 2 2 3 1 4 4 5 5 6 6 4 4 5"),
        scalars("interleave of pairs", twice, "1 2 1 2 3 4 3 4 5 6 5 6"),
        scalars(
            "parallel interleave has the same order",
            Dataset.range(1, 7, 1).interleave((tf, x) -> Dataset.tensor(x).repeat(2), 2, 1, 2),
            "1 2 1 2 3 4 3 4 5 6 5 6"));
  }

  /** Each x from 1 to 6, 8 - x times. */
  private static Dataset<Output> sevens(int cycle, int block) {
    return Dataset.range(1, 7, 1)
        .interleave(
            (tf, x) ->
                Dataset.range(10)
                    .takeWhile((inner, i) -> inner.less(i, inner.sub(inner.constant(8L), x)))
                    .map((inner, i) -> inner.identity(x)),
            cycle,
            block);
  }

  private static List<Row> batches() {
    Dataset<Output> ragged = Dataset.range(1, 4, 1).map((tf, x) -> tf.fill(tf.reshape(x, 1), x));
    return List.of(
        row("batch", Dataset.range(5).batch(2), "[0, 1]", "[2, 3]", "[4]"),
        row("batch without the rest", Dataset.range(5).batch(2, true), "[0, 1]", "[2, 3]"),
        row("paddedBatch", ragged.paddedBatch(2), "[[1, 0], [2, 2]]", "[[3, 3, 3]]"),
        row(
            "paddedBatch to a shape with a value",
            ragged.paddedBatch(2, List.of(Shape.of(4)), List.of(9L), true),
            "[[1, 9, 9, 9], [2, 2, 9, 9]]"),
        scalars("unbatch", Dataset.range(5).batch(2).unbatch(), "0 1 2 3 4"),
        row(
            "window",
            Dataset.range(7).window(2).flatMap((tf, w) -> w.batch(2)),
            "[0, 1]",
            "[2, 3]",
            "[4, 5]",
            "[6]"),
        row(
            "window with a stride",
            Dataset.range(7).window(3, 1, 2, true).flatMap((tf, w) -> w.batch(3)),
            "[0, 2, 4]",
            "[1, 3, 5]",
            "[2, 4, 6]"),
        row(
            "window of pairs",
            Dataset.zip(Dataset.range(3), Dataset.range(5, 8, 1))
                .window(2)
                .flatMap((tf, w) -> w.batch(2)),
            "[0, 1] [5, 6]",
            "[2] [7]"),
        row(
            "denseToSparseBatch",
            ragged
                .denseToSparseBatch(2, Shape.of(Shape.UNKNOWN))
                .map((tf, sparse) -> tf.sparse.toDense(sparse)),
            "[[1, 0], [2, 2]]",
            "[[3, 3, 3]]"),
        row(
            "mapAndBatch",
            Dataset.range(5).mapAndBatch((tf, x) -> tf.square(x), 2, 3, false),
            "[0, 1]",
            "[4, 9]",
            "[16]"));
  }

  private static List<Row> functions() {
    Dataset<Output> five = Dataset.range(5);
    return List.of(
        scalars("map", five.map((tf, x) -> tf.square(x)), "0 1 4 9 16"),
        scalars("map, several calls", five.map((tf, x) -> tf.square(x), 3), "0 1 4 9 16"),
        row(
            "map to names, which are sorted",
            five.take(2).map((tf, x) -> Examples.of("y", tf.neg(x)).and("x", x)),
            "0 0",
            "1 -1"),
        row(
            "map of names",
            five.take(2)
                .map((tf, x) -> Examples.of("x", x))
                .map((tf, e) -> Pair.of(e.get("x"), tf.square(e.get("x")))),
            "0 0",
            "1 1"),
        row(
            "map to pairs of lists",
            Dataset.range(2).map((tf, x) -> Pair.of(List.of(x, x), tf.neg(x))),
            "0 0 0",
            "1 1 -1"),
        scalars(
            "map to datasets",
            five.map((tf, x) -> Dataset.range(3).take(1)).flatMap((tf, inner) -> inner),
            "0 0 0 0 0"),
        scalars("filter", five.filter((tf, x) -> tf.greater(x, tf.constant(2L))), "3 4"),
        scalars("takeWhile", five.takeWhile((tf, x) -> tf.notEqual(x, tf.constant(3L))), "0 1 2"),
        scalars(
            "flatMap",
            Dataset.range(3).flatMap((tf, x) -> Dataset.tensorSlices(tf.stack(x, tf.neg(x)))),
            "0 0 1 -1 2 -2"),
        scalars(
            "scan",
            five.scan(
                tf -> tf.constant(10L), (tf, sum, x) -> Pair.of(tf.add(sum, x), tf.add(sum, x))),
            "10 11 13 16 20"),
        scalars(
            "ignoreErrors",
            Dataset.tensorSlices(new String[] {"1", "x", "3"})
                .map((tf, text) -> tf.strings.stringToNumber(text, DataType.INT32))
                .ignoreErrors(),
            "1 3"));
  }

  private static List<Row> mixtures() throws IOException {
    Dataset<Output> low = Dataset.range(3);
    Dataset<Output> high = Dataset.range(10, 14, 1);
    return List.of(
        scalars(
            "chooseFrom",
            Dataset.chooseFrom(
                List.of(low, high), Dataset.tensorSlices(new long[] {1, 0, 1, 1, 0})),
            "10 0 11 12 1"),
        scalars(
            "sampleFrom one of which has no weight",
            Dataset.sampleFrom(List.of(low, high), new double[] {1, 0}, 7).take(3),
            "0 1 2"),
        scalars("unique", Dataset.tensorSlices(new long[] {3, 1, 3, 2, 1}).unique(), "3 1 2"),
        row(
            "rebatch",
            Dataset.range(7).batch(4).rebatch(List.of(2L, 1L), false),
            "[0, 1]",
            "[2]",
            "[3, 4]",
            "[5]",
            "[6]"),
        scalars("cache in memory", Dataset.range(3).cache().repeat(2), "0 1 2 0 1 2"));
  }

  private static List<Row> groups() {
    Dataset<Output> lengths =
        Dataset.tensorSlices(new long[] {1, 5, 2, 7, 1, 6, 9})
            .map((tf, n) -> tf.fill(tf.reshape(n, 1), n));
    return List.of(
        row(
            "groupByWindow",
            Dataset.range(7)
                .groupByWindow(
                    (tf, x) -> tf.math.floorMod(x, tf.constant(2L)),
                    (tf, key, group) -> group.batch(10),
                    3),
            "[0, 2, 4]",
            "[1, 3, 5]",
            "[6]"),
        row(
            "groupByWindow with sizes by keys",
            Dataset.range(6)
                .groupByWindow(
                    (tf, x) -> tf.math.floorMod(x, tf.constant(2L)),
                    (tf, key, group) -> group.batch(10),
                    (tf, key) -> tf.add(key, tf.constant(1L))),
            "[0]",
            "[2]",
            "[1, 3]",
            "[4]",
            "[5]"),
        row(
            "bucketBySequenceLength",
            lengths.bucketBySequenceLength(
                (tf, x) -> tf.size(x), List.of(3, 7), List.of(2, 2, 1), false),
            "[[1, 0], [2, 2]]",
            "[[7, 7, 7, 7, 7, 7, 7]]",
            "[[5, 5, 5, 5, 5, 0], [6, 6, 6, 6, 6, 6]]",
            "[[9, 9, 9, 9, 9, 9, 9, 9, 9]]",
            "[[1]]"));
  }

  private static List<Row> tables() throws IOException {
    Path table = folder.resolve("table.csv");
    Files.writeString(table, "id;weight;name\n1;2.5;\"a;\"\"b\"\n2;NA;c\n");
    CsvOptions columns =
        CsvOptions.columns(DataType.INT64, 0.5f, "none")
            .withHeader()
            .withDelimiter(';')
            .withNaValue("NA");
    return List.of(
        row("csv", Dataset.csv(table, columns), "1 2.5 a;\"b", "2 0.5 c"),
        row(
            "csv, some columns",
            Dataset.csv(
                table,
                CsvOptions.columns(DataType.STRING)
                    .withHeader()
                    .withDelimiter(';')
                    .withSelected(2)),
            "a;\"b",
            "c"));
  }
}
