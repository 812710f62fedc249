package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Tables, with reference handles (no suffix) and with resource handles ({@code V2}). */
final class LookupOpRows {
  private LookupOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String suffix : List.of("", "V2")) {
      rows.add(row("HashTable", suffix, LookupOpRows::fixed));
      rows.add(row("MutableHashTable", suffix, LookupOpRows::changed));
      rows.add(row("MutableHashTableOfTensors", suffix, LookupOpRows::vectors));
      rows.add(row("LookupTableFind", suffix, LookupOpRows::fixed));
      rows.add(row("LookupTableInsert", suffix, LookupOpRows::changed));
      rows.add(row("LookupTableImport", suffix, LookupOpRows::changed));
      rows.add(row("LookupTableExport", suffix, LookupOpRows::changed));
      rows.add(row("LookupTableSize", suffix, LookupOpRows::fixed));
      rows.add(row("InitializeTable", suffix, LookupOpRows::fixed));
      rows.add(row("InitializeTableFromTextFile", suffix, LookupOpRows::vocabulary));
    }
    rows.add(
        row("MutableDenseHashTable", "", LookupOpRows::dense)
            .withoutStock("stock's kernel asks for an input that its op does not have"));
    rows.add(row("MutableDenseHashTable", "V2", LookupOpRows::dense));
    rows.add(row("LookupTableRemove", "V2", LookupOpRows::removed));
    rows.add(OpRow.of("AnonymousHashTable").script(LookupOpRows::anonymous));
    rows.add(OpRow.of("AnonymousMutableHashTable").script(LookupOpRows::anonymousMutable));
    rows.add(OpRow.of("AnonymousMutableHashTableOfTensors").script(LookupOpRows::anonymousVectors));
    rows.add(OpRow.of("AnonymousMutableDenseHashTable").script(LookupOpRows::anonymousDense));
    return rows;
  }

  private static Script removed(Draw d, String suffix) {
    Ops tf = Ops.create();
    LookupTable table = tf.lookup.mutableHashTable(STRING, INT64);
    return Script.on(tf)
        .run(table.insert(tf.constant("a", "b", "c"), tf.constant(1L, 2L, 3L)))
        .run(table.remove(tf.constant("b", "z")))
        .expect(table.find(tf.constant("a", "b", "c"), tf.constant(-1L)), Tensor.of(1L, -1L, 3L))
        .expect(table.size(), Tensor.scalar(2L));
  }

  /** Free buckets are exported, too. */
  private static Script dense(Draw d, String suffix) {
    Ops tf = Ops.create();
    OperationBuilder maker =
        tf.scope().operation("MutableDenseHashTable" + suffix).input(tf.constant(-1L));
    if (suffix.equals("V2")) {
      maker.input(tf.constant(-2L));
    }
    Output table =
        maker
            .attr("key_dtype", INT64)
            .attr("value_dtype", INT64)
            .attr("initial_num_buckets", 4)
            .buildOutput();
    Operation insert =
        with(tf, "LookupTableInsert" + suffix, table, Tensor.of(5L, 9L, 2L))
            .input(tf.constant(50L, 90L, 20L))
            .build();
    Operation more =
        with(tf, "LookupTableInsert" + suffix, table, Tensor.of(7L, 8L, 7L))
            .input(tf.constant(70L, 80L, 71L))
            .build();
    Output found =
        with(tf, "LookupTableFind" + suffix, table, Tensor.of(5L, 3L, 9L, 7L))
            .input(tf.constant(0L))
            .buildOutput();
    Output[] all =
        tf.scope()
            .operation("LookupTableExport" + suffix)
            .input(table)
            .attr("Tkeys", INT64)
            .attr("Tvalues", INT64)
            .build()
            .outputs()
            .toArray(new Output[0]);
    // Stock's shape rule knows only tables that export vectors.
    Output keys = tf.placeholder(INT64, Shape.unknown());
    Output values = tf.placeholder(INT64, Shape.unknown());
    Operation replace =
        tf.scope()
            .operation("LookupTableImport" + suffix)
            .input(table)
            .input(keys)
            .input(values)
            .build();
    return Script.on(tf)
        .run(insert)
        .expect(found, Tensor.of(50L, 0L, 90L, 0L))
        .fetch(all)
        .run(more)
        .expect(found, Tensor.of(50L, 0L, 90L, 71L))
        .fetch(all)
        .step(
            Map.of(
                keys,
                Tensor.of(Shape.of(4, 1), -1L, 1L, 2L, 3L),
                values,
                Tensor.of(Shape.of(4, 1), 0L, 10L, 20L, 30L)),
            List.of(),
            List.of(replace),
            List.of())
        .expect(found, Tensor.of(0L, 30L, 0L, 0L))
        .fetch(all);
  }

  private static Script anonymous(Draw d) {
    Ops tf = Ops.create();
    Output table = table(tf, "AnonymousHashTable", STRING, INT64);
    Operation init =
        with(tf, "InitializeTableV2", table, Tensor.of("a", "b"))
            .input(tf.constant(10L, 20L))
            .build();
    Output found =
        with(tf.withControlDependencies(init), "LookupTableFindV2", table, Tensor.of("b", "c"))
            .input(tf.constant(-1L))
            .buildOutput();
    return Script.on(tf)
        .expect(found, Tensor.of(20L, -1L))
        .expect(found, Tensor.of(20L, -1L))
        .expect(
            tf.scope().operation("LookupTableSizeV2").input(table).buildOutput(),
            Tensor.scalar(0L));
  }

  private static Script anonymousMutable(Draw d) {
    Ops tf = Ops.create();
    return inserted(tf, table(tf, "AnonymousMutableHashTable", STRING, INT64), Shape.scalar());
  }

  private static Script anonymousVectors(Draw d) {
    Ops tf = Ops.create();
    Output table =
        tf.scope()
            .operation("AnonymousMutableHashTableOfTensors")
            .attr("key_dtype", STRING)
            .attr("value_dtype", INT64)
            .attr("value_shape", Shape.of(1))
            .buildOutput();
    return inserted(tf, table, Shape.of(1));
  }

  private static Script anonymousDense(Draw d) {
    Ops tf = Ops.create();
    Output table =
        tf.scope()
            .operation("AnonymousMutableDenseHashTable")
            .input(tf.constant(""))
            .input(tf.constant("-"))
            .attr("key_dtype", STRING)
            .attr("value_dtype", INT64)
            .attr("initial_num_buckets", 8)
            .buildOutput();
    return inserted(tf, table, Shape.scalar());
  }

  private static Script inserted(Ops tf, Output table, Shape value) {
    Operation insert =
        with(tf, "LookupTableInsertV2", table, Tensor.of("a", "b"))
            .input(tf.constant(Shape.of(2).concatenate(value), 10L, 20L))
            .build();
    Output found =
        with(tf.withControlDependencies(insert), "LookupTableFindV2", table, Tensor.of("b", "c"))
            .input(tf.constant(value, -1L))
            .buildOutput();
    return Script.on(tf).expect(found, Tensor.of(Shape.of(2).concatenate(value), 20L, -1L));
  }

  private static OpRow row(String op, String suffix, BiFunction<Draw, String, Script> script) {
    return OpRow.of(op + suffix).script(d -> script.apply(d, suffix));
  }

  private static Script fixed(Draw d, String suffix) {
    Ops tf = Ops.create();
    Output table = table(tf, "HashTable" + suffix, STRING, INT64);
    Operation init =
        with(tf, "InitializeTable" + suffix, table, Tensor.of("a", "b", ""))
            .input(tf.constant(10L, 20L, 30L))
            .build();
    Output found =
        with(tf, "LookupTableFind" + suffix, table, Tensor.of(Shape.of(2, 2), "b", "c", "a", ""))
            .input(tf.constant(-1L))
            .buildOutput();
    Output size = tf.scope().operation("LookupTableSize" + suffix).input(table).buildOutput();
    return Script.on(tf)
        .expect(size, Tensor.scalar(0L))
        .run(init)
        .run(init)
        .expect(size, Tensor.scalar(3L))
        .expect(found, Tensor.of(Shape.of(2, 2), 20L, -1L, 10L, 30L));
  }

  private static Script changed(Draw d, String suffix) {
    Ops tf = Ops.create();
    Output table = table(tf, "MutableHashTable" + suffix, INT64, STRING);
    Operation insert =
        with(tf, "LookupTableInsert" + suffix, table, Tensor.of(1L, 2L, 1L))
            .input(tf.constant("one", "two", "uno"))
            .build();
    Operation replace =
        with(tf, "LookupTableImport" + suffix, table, Tensor.of(7L))
            .input(tf.constant(new String[] {"seven"}))
            .build();
    Output found =
        with(tf, "LookupTableFind" + suffix, table, Tensor.of(2L, 1L, 3L))
            .input(tf.constant("?"))
            .buildOutput();
    Output[] all =
        tf.scope()
            .operation("LookupTableExport" + suffix)
            .input(table)
            .attr("Tkeys", INT64)
            .attr("Tvalues", STRING)
            .build()
            .outputs()
            .toArray(new Output[0]);
    return Script.on(tf)
        .expect(found, Tensor.of("?", "?", "?"))
        .run(insert)
        .expect(found, Tensor.of("two", "uno", "?"))
        .run(replace)
        .fetch(all)
        .expect(found, Tensor.of("?", "?", "?"));
  }

  /** Values of two elements each. */
  private static Script vectors(Draw d, String suffix) {
    Ops tf = Ops.create();
    Output table =
        tf.scope()
            .operation("MutableHashTableOfTensors" + suffix)
            .attr("key_dtype", STRING)
            .attr("value_dtype", DataType.FLOAT)
            .attr("value_shape", Shape.of(2))
            .buildOutput();
    Operation insert =
        with(tf, "LookupTableInsert" + suffix, table, Tensor.of("a", "b", "a"))
            .input(tf.constant(Shape.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f))
            .build();
    Operation replace =
        with(tf, "LookupTableImport" + suffix, table, Tensor.of("z"))
            .input(tf.constant(Shape.of(1, 2), 7f, 8f))
            .build();
    Output found =
        with(tf, "LookupTableFind" + suffix, table, Tensor.of(Shape.of(2, 2), "b", "?", "a", "z"))
            .input(tf.constant(-1f, -2f))
            .buildOutput();
    Output[] all =
        tf.scope()
            .operation("LookupTableExport" + suffix)
            .input(table)
            .attr("Tkeys", STRING)
            .attr("Tvalues", DataType.FLOAT)
            .build()
            .outputs()
            .toArray(new Output[0]);
    Shape shape = Shape.of(2, 2, 2);
    return Script.on(tf)
        .run(insert)
        .expect(found, Tensor.of(shape, 3f, 4f, -1f, -2f, 5f, 6f, -1f, -2f))
        .run(replace)
        .fetch(all)
        .expect(found, Tensor.of(shape, -1f, -2f, -1f, -2f, -1f, -2f, 7f, 8f));
  }

  /** Whole lines to line numbers, and one column to another. */
  private static Script vocabulary(Draw d, String suffix) {
    Ops tf = Ops.create();
    String file = vocabularyFile();
    Output numbers = table(tf, "HashTable" + suffix, STRING, INT64);
    Output columns = table(tf, "HashTable" + suffix, INT64, DataType.FLOAT);
    Operation lines =
        with(tf, "InitializeTableFromTextFile" + suffix, numbers, Tensor.scalar(file))
            .attr("key_index", -2)
            .attr("value_index", -1)
            .attr("vocab_size", 2)
            .attr("offset", 100)
            .build();
    Operation cells =
        with(tf, "InitializeTableFromTextFile" + suffix, columns, Tensor.scalar(file))
            .attr("key_index", 1)
            .attr("value_index", 2)
            .attr("delimiter", " ")
            .build();
    Output line =
        with(tf, "LookupTableFind" + suffix, numbers, Tensor.of("y 2 2.5", "z 3 -1e3", "x"))
            .input(tf.constant(-1L))
            .buildOutput();
    Output cell =
        with(tf, "LookupTableFind" + suffix, columns, Tensor.of(3L, 1L, 2L, 0L))
            .input(tf.constant(0.5f))
            .buildOutput();
    return Script.on(tf)
        .run(lines, cells)
        .expect(line, Tensor.of(101L, -1L, -1L))
        .expect(cell, Tensor.of(-1000f, 1.5f, 2.5f, 0.5f));
  }

  private static String vocabularyFile() {
    try {
      Path file = Files.createTempFile("vocabulary", ".txt");
      file.toFile().deleteOnExit();
      return Files.writeString(file, "x 1 1.5\ny 2 2.5\r\nz 3 -1e3").toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Output table(Ops tf, String op, DataType keys, DataType values) {
    return tf.scope()
        .operation(op)
        .attr("key_dtype", keys)
        .attr("value_dtype", values)
        .buildOutput();
  }

  private static OperationBuilder with(Ops tf, String op, Output table, Tensor input) {
    return tf.scope().operation(op).input(table).input(Constants.taking(tf, input));
  }
}
