package dev.tributary.optable;

import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.example.ReaderState;
import dev.tributary.ops.Ops;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordWriter;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;

/** Readers, with reference handles (no suffix) and with resource handles ({@code V2}). */
final class ReaderOpRows {
  private static final Path FOLDER = Path.of("target/reader-op-rows");

  private ReaderOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String suffix : List.of("", "V2")) {
      rows.add(row("WholeFileReader" + suffix, d -> text(d, suffix, "WholeFileReader")));
      rows.add(maker("IdentityReader", suffix, d -> text(d, suffix, "IdentityReader")));
      rows.add(maker("TextLineReader", suffix, d -> text(d, suffix, "TextLineReader")));
      rows.add(maker("FixedLengthRecordReader", suffix, d -> fixedLength(d, suffix)));
      rows.add(maker("TFRecordReader", suffix, d -> records(d, suffix)));
      String reader = suffix.isEmpty() ? "WholeFileReader" : "TextLineReader";
      for (String op :
          List.of(
              "ReaderRead",
              "ReaderReadUpTo",
              "ReaderNumRecordsProduced",
              "ReaderNumWorkUnitsCompleted",
              "ReaderReset")) {
        rows.add(row(op + suffix, d -> text(d, suffix, reader)));
      }
      for (String op : List.of("ReaderSerializeState", "ReaderRestoreState")) {
        rows.add(row(op + suffix, d -> state(d, suffix)));
      }
    }
    return rows;
  }

  private static OpRow maker(String op, String suffix, Function<Draw, Script> script) {
    OpRow row = row(op + suffix, script);
    return suffix.isEmpty() ? row.withoutStock("stock withdrew the op with graph version 26") : row;
  }

  private static OpRow row(String op, Function<Draw, Script> script) {
    return OpRow.of(op).types(STRING).script(script);
  }

  private static Script text(Draw d, String suffix, String reader) {
    String first = file("first.txt", "one\r\ntwo\n\nfour".getBytes(StandardCharsets.UTF_8));
    String empty = file("empty.txt", new byte[0]);
    String last = file("last.txt", "a\nb\n".getBytes(StandardCharsets.UTF_8));
    boolean skips = reader.equals("TextLineReader") && d.flip();
    return script(
        suffix, reader, op -> skips ? op.attr("skip_header_lines", 1) : op, first, empty, last);
  }

  private static Script fixedLength(Draw d, String suffix) {
    byte[] content = new byte[d.integer(20, 40)];
    d.random().nextBytes(content);
    boolean packed = suffix.equals("V2") && d.flip();
    String first = packed ? gzipped("first.bin.gz", content) : file("first.bin", content);
    String last = packed ? gzipped("last.bin.gz", content) : file("last.bin", content);
    int hop = d.integer(0, 7);
    return script(
        suffix,
        "FixedLengthRecordReader",
        op -> {
          op.attr("header_bytes", 3)
              .attr("record_bytes", 5)
              .attr("footer_bytes", 2)
              .attr("hop_bytes", hop);
          return packed ? op.attr("encoding", "GZIP") : op;
        },
        first,
        last);
  }

  private static Script records(Draw d, String suffix) {
    Compression compression = d.oneOf(Compression.values());
    String[] files = new String[2];
    for (int i = 0; i < files.length; i++) {
      Path path = FOLDER.resolve(compression + "-" + i + ".tfrecord");
      file(path.getFileName().toString(), new byte[0]);
      try (RecordWriter writer = RecordWriter.create(path, compression)) {
        for (int j = 0; j < 4; j++) {
          byte[] record = new byte[d.integer(0, 50)];
          d.random().nextBytes(record);
          writer.write(record);
        }
      }
      files[i] = path.toString();
    }
    return script(
        suffix,
        "TFRecordReader",
        op -> op.attr("compression_type", compression.attributeValue()),
        files);
  }

  /** Reads one record, then batches, then resets; and asks how far the reader is. */
  private static Script script(
      String suffix, String reader, UnaryOperator<OperationBuilder> settings, String... files) {
    Ops tf = Ops.create();
    Output queue =
        tf.scope()
            .operation("FIFOQueue" + suffix)
            .attr("component_types", List.of(STRING))
            .buildOutput();
    Operation enqueue =
        tf.scope()
            .operation("QueueEnqueueMany" + suffix)
            .input(queue)
            .inputList(List.of(tf.constant(files)))
            .build();
    Output handle = settings.apply(tf.scope().operation(reader + suffix)).buildOutput();
    Operation read = tf.scope().operation("ReaderRead" + suffix).input(handle).input(queue).build();
    Operation readUpTo =
        tf.scope()
            .operation("ReaderReadUpTo" + suffix)
            .input(handle)
            .input(queue)
            .input(tf.constant(2L))
            .build();
    Output[] counts = {
      tf.scope().operation("ReaderNumRecordsProduced" + suffix).input(handle).buildOutput(),
      tf.scope().operation("ReaderNumWorkUnitsCompleted" + suffix).input(handle).buildOutput()
    };
    Operation reset = tf.scope().operation("ReaderReset" + suffix).input(handle).build();
    Output[] one = read.outputs().toArray(new Output[0]);
    Output[] some = readUpTo.outputs().toArray(new Output[0]);
    return Script.on(tf)
        .run(enqueue)
        .fetch(one)
        .fetch(counts)
        .fetch(some)
        .fetch(counts)
        .run(enqueue)
        .fetch(some)
        .fetch(one)
        .fetch(counts)
        .run(reset)
        .fetch(counts)
        .fetch(some)
        .fetch(counts);
  }

  /** Asks how far a reader is, puts it elsewhere, and reads on. */
  private static Script state(Draw d, String suffix) {
    Ops tf = Ops.create();
    byte[] content = new byte[d.integer(0, 20)];
    d.random().nextBytes(content);
    String[] files = {file("one", content), file("two", "two".getBytes(StandardCharsets.UTF_8))};
    Output queue =
        tf.scope()
            .operation("FIFOQueue" + suffix)
            .attr("component_types", List.of(STRING))
            .buildOutput();
    Operation enqueue =
        tf.scope()
            .operation("QueueEnqueueMany" + suffix)
            .input(queue)
            .inputList(List.of(tf.constant(files)))
            .build();
    Output handle = tf.scope().operation("WholeFileReader" + suffix).buildOutput();
    Operation read = tf.scope().operation("ReaderRead" + suffix).input(handle).input(queue).build();
    Output state =
        tf.scope().operation("ReaderSerializeState" + suffix).input(handle).buildOutput();
    Output elsewhere =
        Constants.taking(
            tf,
            Tensor.ofObjects(
                STRING, Shape.scalar(), (Object) new ReaderState(7, 7, 9, "seven").toBytes()));
    Operation restore =
        tf.scope().operation("ReaderRestoreState" + suffix).input(handle).input(elsewhere).build();
    return Script.on(tf)
        .fetch(state)
        .run(enqueue)
        .fetch(read.output(1))
        .fetch(state)
        .run(restore)
        .fetch(state)
        .fetch(read.output(1))
        .fetch(state);
  }

  private static String file(String name, byte[] content) {
    try {
      Files.createDirectories(FOLDER);
      return Files.write(FOLDER.resolve(name), content).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String gzipped(String name, byte[] content) {
    file(name, new byte[0]);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(FOLDER.resolve(name)))) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return FOLDER.resolve(name).toString();
  }
}
