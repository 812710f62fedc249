package dev.tributary.ops;

import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NoLeaks
@Timeout(60)
class LookupTableTest {
  private final Ops tf = Ops.create();
  private final Session session = Sessions.local(tf.graph());
  @TempDir private Path folder;

  @AfterEach
  void close() {
    session.close();
    tf.graph().close();
  }

  @Test
  void find_tableNotInitialized_isRefused() {
    LookupTable table = tf.lookup.hashTable(STRING, INT64);

    assertFails(() -> find(table, "a"), ErrorCode.FAILED_PRECONDITION)
        .hasMessageContaining("not initialized");
  }

  @Test
  void initialize_againWithOtherEntries_isRefused() {
    LookupTable table = tf.lookup.hashTable(STRING, INT64);
    session.run(initialize(table, 1, 2));
    session.run(initialize(table, 1, 2));

    assertFails(() -> session.run(initialize(table, 1, 3)), ErrorCode.FAILED_PRECONDITION)
        .hasMessageContaining("already initialized with different data");
    assertThat(find(table, "b")).containsExactly(2);
  }

  @Test
  void initialize_oneKeyWithTwoValues_isRefused() {
    LookupTable table = tf.lookup.hashTable(STRING, INT64);

    assertFails(
            () -> session.run(table.initialize(tf.constant("a", "a"), tf.constant(1L, 2L))),
            ErrorCode.FAILED_PRECONDITION)
        .hasMessageContaining("Key a has 1 and trying to add value 2");
    assertFails(() -> find(table, "a"), ErrorCode.FAILED_PRECONDITION);
  }

  @Test
  void insert_fixedTable_isRefused() {
    LookupTable table = tf.lookup.hashTable(STRING, INT64);

    assertFails(
            () ->
                session.run(
                    table.insert(tf.constant(new String[] {"a"}), tf.constant(new long[] {1L}))),
            ErrorCode.UNIMPLEMENTED)
        .hasMessageContaining("MutableHashTable");
  }

  @Test
  void insert_unlikeShapesOrTypes_isRefused() {
    LookupTable table = tf.lookup.mutableHashTable(STRING, INT64);

    assertFails(
            () -> session.run(table.insert(tf.constant("a", "b"), tf.constant(new long[] {1L}))),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("[2]", "[1]");
    assertFails(
            () ->
                session.run(
                    table.insert(tf.constant(new String[] {"a"}), tf.constant(new float[] {1f}))),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("int64", "float");
  }

  @Test
  void find_defaultForEachKey_givesThose() {
    LookupTable table = tf.lookup.mutableHashTable(STRING, INT64);
    session.run(table.insert(tf.constant(new String[] {"a"}), tf.constant(new long[] {1L})));
    Output found = table.find(tf.constant("x", "a", "y"), tf.constant(7L, 8L, 9L));

    assertThat(fetch(found)).containsExactly(7, 1, 9);
  }

  @Test
  void find_vectors_haveTheShapeOfKeysAndValues() {
    LookupTable table = tf.lookup.mutableHashTableOfTensors(STRING, INT64, Shape.of(2));
    session.run(table.insert(tf.constant(new String[] {"a"}), tf.constant(Shape.of(1, 2), 1L, 2L)));
    Output keys = tf.constant("x", "a", "y");
    Output single = table.find(keys, tf.constant(-1L, -2L));
    Output each = table.find(keys, tf.constant(Shape.of(3, 2), 3L, 4L, 5L, 6L, 7L, 8L));

    assertThat(single.shape()).isEqualTo(Shape.of(3, 2));
    assertThat(fetch(single)).containsExactly(-1, -2, 1, 2, -1, -2);
    assertThat(fetch(each)).containsExactly(3, 4, 1, 2, 7, 8);
    assertThat(table.export().get(1).shape()).isEqualTo(Shape.of(Shape.UNKNOWN, 2));
    assertThat(fetch(table.export().get(1))).containsExactly(1, 2);
  }

  @Test
  void tableOfVectors_otherShapes_areRefused() {
    LookupTable table = tf.lookup.mutableHashTableOfTensors(STRING, INT64, Shape.of(2), "t");
    Output keys = tf.constant("a", "b");

    assertFails(
            () -> session.run(table.insert(keys, tf.constant(1L, 2L))), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("[2,2]", "[2]");
    assertFails(() -> fetch(table.find(keys, tf.constant(0L))), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("default value");
    assertFails(
            () -> fetch(tf.lookup.mutableHashTable(STRING, INT64, "t").size()),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("'t'", "[2]");
    assertFails(
            () -> fetch(tf.lookup.mutableHashTableOfTensors(STRING, INT64, Shape.scalar()).size()),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContaining("vector");
  }

  @Test
  void tables_withoutSharedName_areNotShared() {
    LookupTable one = tf.lookup.mutableHashTable(STRING, INT64);
    LookupTable other = tf.lookup.mutableHashTable(STRING, INT64);
    session.run(one.insert(tf.constant(new String[] {"a"}), tf.constant(new long[] {1L})));

    assertThat(fetch(other.size())).containsExactly(0);
    assertThat(fetch(one.size())).containsExactly(1);
  }

  @Test
  void tablesInitializer_allTables_fillsThem() throws IOException {
    LookupTable one = tf.lookup.hashTable(STRING, INT64);
    LookupTable other = tf.lookup.hashTable(STRING, INT64);
    initialize(one, 1, 2);
    Path file = Files.writeString(folder.resolve("v.txt"), "a\t5\n");
    other.initializeFromTextFile(tf.constant(file.toString()), TextFileColumns.of(0, 1));
    session.run(tf.lookup.tablesInitializer());

    assertThat(find(one, "b")).containsExactly(2);
    assertThat(find(other, "a")).containsExactly(5);
  }

  @Test
  void textFile_missing_isNotFound() {
    assertFails(() -> read("absent.txt", TextFileColumns.of(0, 1)), ErrorCode.NOT_FOUND)
        .hasMessageContaining("absent.txt");
  }

  @Test
  void textFile_wrongContent_isRefusedWithItsPlace() throws IOException {
    Files.writeString(folder.resolve("v.txt"), "a\t1\nb\tx\nc");

    assertFails(() -> read("v.txt", TextFileColumns.of(0, 1)), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("v.txt", "line 1", "'x'", "int64");
    assertFails(() -> read("v.txt", new TextFileColumns(0, 2, 1, "\t")), ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("v.txt", "line 0", "expected at least 3, got 2");
    assertFails(
            () ->
                read(
                    "v.txt",
                    new TextFileColumns(
                        TextFileColumns.WHOLE_LINE, TextFileColumns.LINE_NUMBER, 4, "\t")),
            ErrorCode.INVALID_ARGUMENT)
        .hasMessageContainingAll("v.txt", "expected 4 but got 3");
  }

  private void read(String file, TextFileColumns columns) {
    LookupTable table = tf.lookup.hashTable(STRING, INT64);
    Output name = tf.constant(folder.resolve(file).toString());
    session.run(table.initializeFromTextFile(name, columns));
  }

  private Operation initialize(LookupTable table, long a, long b) {
    return table.initialize(tf.constant("a", "b"), tf.constant(Shape.of(2), a, b));
  }

  private long[] find(LookupTable table, String key) {
    return fetch(table.find(tf.constant(new String[] {key}), tf.constant(-1L)));
  }

  private long[] fetch(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).toLongs();
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(
      ThrowingCallable call, ErrorCode code) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TributaryException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
