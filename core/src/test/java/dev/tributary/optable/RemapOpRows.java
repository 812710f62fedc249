package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Vocabularies and matrices that move to a model with another vocabulary. */
final class RemapOpRows {
  private static final Path FOLDER = Path.of("target/remap-op-rows");

  private RemapOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("GenerateVocabRemapping").types(STRING).script(RemapOpRows::vocabulary),
        OpRow.of("LoadAndRemapMatrix").types(FLOAT).script(RemapOpRows::matrix));
  }

  private static Script vocabulary(Draw d) {
    Ops tf = Ops.create();
    Output newFile = tf.constant(file("new.txt", "cat\ndog\ncow\nant\n"));
    Output oldFile = tf.constant(file("old.txt", "ant\nbee\ncat\ncow"));
    int oldSize = d.oneOf(-1, 3);
    List<Output> remapping = tf.io.generateVocabRemapping(newFile, oldFile, 1, 3);
    List<Output> limited =
        tf.scope()
            .operation("GenerateVocabRemapping")
            .input(newFile)
            .input(oldFile)
            .attr("new_vocab_offset", d.integer(0, 1))
            .attr("num_new_vocab", d.integer(0, 3))
            .attr("old_vocab_size", oldSize == 3 ? 4 : oldSize)
            .build()
            .outputs();
    return Script.on(tf)
        .expect(remapping.get(0), Tensor.of(-1L, 3L, 0L))
        .expect(remapping.get(1), Tensor.scalar(2))
        .fetch(limited.get(0), limited.get(1));
  }

  /** Rows 2, new, 0 and columns new, 1 of a matrix in two slices. */
  private static Script matrix(Draw d) {
    Ops tf = Ops.create();
    Output prefix = tf.constant(FOLDER.resolve("model").toString());
    Operation save =
        tf.io.saveV2(
            prefix,
            tf.constant("w", "w"),
            tf.constant("4 2 0,2:-", "4 2 2,2:-"),
            List.of(
                tf.constant(Shape.of(2, 2), 1f, 2f, 3f, 4f),
                tf.constant(Shape.of(2, 2), 5f, 6f, 7f, 8f)));
    Output moved =
        tf.scope()
            .operation("LoadAndRemapMatrix")
            .input(prefix)
            .input(tf.constant("w"))
            .input(tf.constant(new long[] {2, -1, 0}))
            .input(tf.constant(new long[] {-1, 1}))
            .input(tf.constant(new float[] {10, 20, 30, 40}))
            .attr("num_rows", 3)
            .attr("num_cols", 2)
            .attr("max_rows_in_memory", d.integer(-1, 3))
            .buildOutput();
    Output rowsOnly =
        tf.io.loadAndRemapMatrix(
            prefix,
            tf.constant("w"),
            tf.constant(new long[] {3, 1}),
            tf.constant(new long[0]),
            tf.constant(new float[0]),
            Shape.of(2, 2));
    return Script.on(tf)
        .run(save)
        .expect(moved, Tensor.of(Shape.of(3, 2), 10f, 6f, 20f, 30f, 40f, 2f))
        .expect(rowsOnly, Tensor.of(Shape.of(2, 2), 7f, 8f, 3f, 4f));
  }

  private static String file(String name, String content) {
    try {
      Files.createDirectories(FOLDER);
      return Files.writeString(FOLDER.resolve(name), content).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
