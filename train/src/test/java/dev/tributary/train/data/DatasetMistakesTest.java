package dev.tributary.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.record.RecordWriter;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Wrong pipelines: each gets one sentence that says where, what, and what to do. */
@NoLeaks
@Timeout(60)
class DatasetMistakesTest {
  @TempDir private static Path folder;

  private record Mistake(String name, Runnable program, ErrorCode code, String message) {}

  private static Mistake wrong(String name, Runnable program, String message) {
    return new Mistake(name, program, ErrorCode.INVALID_ARGUMENT, message);
  }

  @TestFactory
  Stream<DynamicTest> message_ofEachMistake_saysWhatToDo() {
    return Stream.of(
            wrong(
                "batch of size 0",
                () -> Dataset.range(3).batch(0),
                "Dataset batch: the size is 0: give 1 or more"),
            wrong(
                "shuffle without a buffer",
                () -> Dataset.range(3).shuffle(0),
                "Dataset shuffle: the buffer is 0: give 1 or more"),
            wrong(
                "range without a step",
                () -> Dataset.range(0, 5, 0),
                "Dataset range: step is 0: give another one"),
            wrong(
                "predicate that is not boolean",
                () -> Rows.of(Dataset.range(3).filter((tf, x) -> x)),
                "Dataset range -> filter: the function must return a bool scalar, got (int64[])"),
            wrong(
                "function that returns nothing",
                () -> Rows.of(Dataset.range(3).map((tf, x) -> null)),
                "Dataset range -> map: null is no element: give an Output, a SparseTensor,"
                    + " Examples, a Pair, a List of them, or a Dataset"),
            wrong(
                "feature that is not there",
                () ->
                    Rows.of(
                        Dataset.tensorSlices(Map.of("x", new long[] {1}))
                            .map((tf, e) -> e.get("y"))),
                "Dataset tensorSlices -> map: no feature 'y'; there are [x]"),
            wrong(
                "other elements behind these",
                () -> Rows.of(Dataset.range(3).concatenate(Dataset.tensorSlices(new float[] {1}))),
                "Dataset range -> concatenate: the elements differ, (int64[]) and (float[]): both"
                    + " must have the same components"),
            wrong(
                "slices of different numbers",
                () -> Rows.of(Dataset.tensorSlices(new long[] {1, 2}, new long[] {1, 2, 3})),
                "Dataset tensorSlices: the values have 2 and 3 slices: give values whose first"
                    + " dimensions are equal"),
            wrong(
                "slices of a scalar",
                () -> Rows.of(Dataset.tensorSlices(7L)),
                "is a scalar and has no slices: give at least a vector, or use Dataset.tensor"),
            wrong(
                "state of another type",
                () ->
                    Rows.of(
                        Dataset.range(3)
                            .scan(tf -> tf.constant(0f), (tf, state, x) -> Pair.of((Output) x, x))),
                "the state is (float[]) at first and (int64[]) after an element: return a state of"
                    + " the same types"),
            wrong(
                "more calls than datasets",
                () -> Dataset.range(3).interleave((tf, x) -> Dataset.tensor(x), 2, 1, 3),
                "Dataset interleave: 3 calls for a cycle of 2"),
            wrong(
                "elements of different shapes in a batch",
                () ->
                    Rows.of(Dataset.range(3).map((tf, x) -> tf.fill(tf.reshape(x, 1), x)).batch(2)),
                "Cannot batch tensors with different shapes in component 0"),
            wrong(
                "no file matches",
                () -> Rows.of(Dataset.tfRecords(folder.resolve("none-*"))),
                "No files matched pattern: " + folder.resolve("none-*")),
            wrong(
                "numbers for names of files",
                () -> Rows.of(Dataset.tfRecords(Dataset.range(3), FileOptions.defaults())),
                "names of files must be string scalars, got (int64[])"),
            new Mistake(
                "file that is missing",
                () -> Rows.of(Dataset.textLines(folder.resolve("none.txt"))),
                ErrorCode.NOT_FOUND,
                folder.resolve("none.txt").toString()),
            new Mistake(
                "element by a wrong name",
                () -> {
                  try (Iteration pass =
                      Dataset.tensorSlices(Map.of("x", new long[] {1})).iterate()) {
                    pass.iterator().next().get("y");
                  }
                },
                ErrorCode.NOT_FOUND,
                "no component 'y'; there are [x]"),
            new Mistake(
                "pass that is begun twice",
                () -> {
                  try (Iteration pass = Dataset.range(3).iterate()) {
                    pass.forEach(element -> {});
                    pass.forEach(element -> {});
                  }
                },
                ErrorCode.FAILED_PRECONDITION,
                "this pass was begun already: call iterate() again for another one"))
        .map(mistake -> DynamicTest.dynamicTest(mistake.name(), () -> check(mistake)));
  }

  private static void check(Mistake mistake) {
    assertThatThrownBy(mistake.program()::run)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> {
              boolean isFeature = mistake.name().equals("feature that is not there");
              assertThat(e.code()).isEqualTo(isFeature ? ErrorCode.NOT_FOUND : mistake.code());
            })
        .hasMessageContaining(mistake.message());
  }

  @Test
  void damagedRecord_inTheMiddle_failsThereWithItsPlace() throws IOException {
    Path file = folder.resolve("damaged.tfrecord");
    try (RecordWriter writer = RecordWriter.create(file)) {
      for (int i = 0; i < 3; i++) {
        writer.write(new byte[] {(byte) ('a' + i)});
      }
    }
    byte[] content = Files.readAllBytes(file);
    content[17 + 12] ^= 1; // The second record has 17 bytes, too.
    Files.write(file, content);

    try (Iteration pass = Dataset.tfRecords(file).iterate()) {
      Iterator<Elements> records = pass.iterator();
      assertThat(records.next().get(0).stringValue()).isEqualTo("a");
      assertThatThrownBy(records::hasNext)
          .isInstanceOfSatisfying(
              TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_LOSS))
          .hasMessageContaining(file.toString())
          .hasMessageContaining("offset 17");
    }
  }

  @Test
  void elementThatFails_inTheMiddle_isSkippedByTheNextCall() {
    Dataset<Output> numbers =
        Dataset.tensorSlices(new String[] {"1", "two", "3"})
            .map((tf, text) -> tf.strings.stringToNumber(text, DataType.INT64));

    try (Iteration pass = numbers.iterate()) {
      Iterator<Elements> elements = pass.iterator();
      assertThat(elements.next().get(0).longValue()).isEqualTo(1);
      assertThatThrownBy(elements::next).hasMessageContaining("two");
      assertThat(elements.next().get(0).longValue()).isEqualTo(3);
      assertThat(elements.hasNext()).isFalse();
    }
  }

  /** Neither a file nor a thread stays, and no tensor. */
  @Test
  void pass_closedInTheMiddle_leavesNoFileAndNoThread() throws IOException {
    Path file = folder.resolve("long.tfrecord");
    try (RecordWriter writer = RecordWriter.create(file)) {
      for (int i = 0; i < 10_000; i++) {
        writer.write(new byte[100]);
      }
    }
    Dataset<Output> records =
        Dataset.tfRecords(file).shuffle(500, 1).repeat().batch(32).prefetch(3);
    try (Iteration pass = records.iterate()) {
      assertThat(pass.iterator().next().get(0).shape()).isEqualTo(Shape.of(32));
      assertThat(open(file)).isPositive();
    }

    assertThat(open(file)).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.contains("dataset") || name.contains("prefetch"));
  }

  /** Returns how often this process has a file open. */
  private static long open(Path file) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(descriptor -> isLinkTo(descriptor, file)).count();
    }
  }

  private static boolean isLinkTo(Path descriptor, Path file) {
    try {
      return Files.readSymbolicLink(descriptor).equals(file);
    } catch (IOException e) {
      return false; // Closed since it was listed.
    }
  }

  @Test
  void spec_ofAPipeline_hasItsShapes() {
    Dataset<Pair<Output, Examples>> dataset =
        Dataset.range(9).batch(3, true).map((tf, x) -> Pair.of(x, Examples.of("n", tf.size(x))));

    assertThat(dataset.spec()).hasToString("(int64[3], n: int32[])");
    assertThat(dataset).hasToString("Dataset range -> batch -> map");
    assertThat(dataset.spec().shapes()).isEqualTo(List.of(Shape.of(3), Shape.scalar()));
  }

  @Test
  void cardinality_ofPipelines_isKnownAsFarAsStagesTell() {
    assertThat(Dataset.range(9).skip(2).batch(2).cardinality()).isEqualTo(4);
    assertThat(Dataset.range(9).repeat().cardinality()).isEqualTo(Dataset.INFINITE);
    assertThat(Dataset.range(9).filter((tf, x) -> tf.less(x, tf.constant(4L))).cardinality())
        .isEqualTo(Dataset.UNKNOWN);
  }

  @Test
  void random_ofASeed_isTheSameInEachPass() {
    List<String> numbers = Rows.of(Dataset.random(5).take(20));

    assertThat(Rows.of(Dataset.random(5).take(20))).isEqualTo(numbers).doesNotHaveDuplicates();
    assertThat(Rows.of(Dataset.random(6).take(20))).isNotEqualTo(numbers);
    assertThat(numbers).allMatch(n -> Long.parseLong(n) >= 0 && Long.parseLong(n) < 1L << 32);
  }

  @Test
  void build_inTheGraphOfAnother_addsNoNodeForTheSpec() {
    Ops tf = Ops.create();
    try (var graph = tf.graph()) {
      Dataset.range(3).spec();
      assertThat(graph.size()).isZero();
    }
  }
}
