package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
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
    return rows;
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
