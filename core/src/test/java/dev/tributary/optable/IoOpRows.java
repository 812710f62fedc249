package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.Collections;
import java.util.List;

final class IoOpRows {
  private static final String FOLDER = "target/io-op-rows/";
  private static final DataType[] SAVED = {
    FLOAT,
    DOUBLE,
    INT32,
    INT64,
    UINT8,
    INT8,
    INT16,
    BOOL,
    STRING,
    HALF,
    BFLOAT16,
    DataType.COMPLEX64,
    DataType.COMPLEX128
  };

  private static final DataType[] FIRST_SAVED = {FLOAT, DOUBLE, INT32, INT64, BOOL, STRING};

  private IoOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("SaveV2").types(SAVED).script(d -> checkpoint("save", d)),
        OpRow.of("RestoreV2").types(SAVED).script(d -> checkpoint("restore", d)),
        OpRow.of("Save").types(FIRST_SAVED).script(d -> firstCheckpoint("save", d)),
        OpRow.of("SaveSlices").types(FIRST_SAVED).script(d -> firstCheckpoint("slices", d)),
        OpRow.of("Restore").types(FIRST_SAVED).script(d -> firstCheckpoint("restore", d)),
        OpRow.of("RestoreSlice").types(FIRST_SAVED).script(d -> firstCheckpoint("part", d)),
        OpRow.of("MergeV2Checkpoints").types(FLOAT, STRING).script(IoOpRows::merge),
        OpRow.of("ShardedFilename")
            .example(
                () -> OpCall.of(Tensor.scalar("a/b"), Tensor.scalar(2), Tensor.scalar(10)),
                Tensor.scalar("a/b-00002-of-00010"))
            .types(STRING)
            .without(Draw.Size.EMPTY, "all inputs are scalars")
            .draw(
                d ->
                    OpCall.of(
                        Tensor.scalar(d.oneOf("", "p", "q/r")),
                        Tensor.scalar(d.integer(0, 200_000)),
                        Tensor.scalar(d.integer(0, 99)))),
        OpRow.of("ShardedFilespec")
            .example(
                () -> OpCall.of(Tensor.scalar("a/b"), Tensor.scalar(10)),
                Tensor.scalar("a/b-?????-of-00010"))
            .types(STRING)
            .without(Draw.Size.EMPTY, "all inputs are scalars")
            .draw(
                d ->
                    OpCall.of(
                        Tensor.scalar(d.oneOf("", "p", "q/r")), Tensor.scalar(d.integer(0, 99)))),
        OpRow.of("ReadFile").script(d -> files("read")),
        OpRow.of("WriteFile").script(d -> files("write")),
        OpRow.of("MatchingFiles").script(d -> files("match")));
  }

  /** Saves a tensor as a whole and another in two slices, and restores all in other ways. */
  private static Script checkpoint(String name, Draw d) {
    Ops tf = Ops.create();
    Output prefix = tf.constant(FOLDER + name + "/" + d.type().lowerName());
    Output names = tf.constant("whole", "b/sliced", "b/sliced", "scalar");
    Tensor whole = d.tensor(d.shape(1, 3));
    Operation save =
        tf.io.saveV2(
            prefix,
            names,
            tf.constant("", "4 3 0,1:-", "4 3 1,3:-", ""),
            List.of(
                tf.constant(whole),
                Constants.taking(tf, d.tensor(Shape.of(1, 3))),
                Constants.taking(tf, d.tensor(Shape.of(3, 3))),
                Constants.taking(tf, d.tensor(Shape.scalar()))));
    // Stock gives slices of these types only as they were saved.
    boolean joins = d.type() != STRING && d.type() != HALF && d.type() != BFLOAT16;
    List<Output> restored =
        tf.io.restoreV2(
            prefix,
            tf.constant("b/sliced", "whole", "b/sliced", "b/sliced", "scalar"),
            tf.constant(
                joins ? "" : "4 3 0,1:-", "", "4 3 1,3:-", joins ? "4 3 0,2:1,2" : "4 3 1,3:-", ""),
            Collections.nCopies(5, d.type()));
    return Script.on(tf)
        .run(save)
        .expect(restored.get(1), whole)
        .fetch(restored.toArray(new Output[0]));
  }

  /** Saves to files of version 1, whole and in slices, and restores from them by all old ops. */
  private static Script firstCheckpoint(String name, Draw d) {
    Ops tf = Ops.create();
    Output file = tf.constant(FOLDER + "v1-" + name + "/whole-" + d.type().lowerName());
    Output parts = tf.constant(FOLDER + "v1-" + name + "/parts-" + d.type().lowerName());
    Tensor whole = d.tensor(d.shape(1, 3));
    Operation save =
        tf.scope()
            .operation("Save")
            .input(file)
            .input(tf.constant("whole", "scalar"))
            .inputList(List.of(tf.constant(whole), Constants.taking(tf, d.tensor(Shape.scalar()))))
            .build();
    Operation saveSlices =
        tf.scope()
            .operation("SaveSlices")
            .input(parts)
            .input(tf.constant("sliced", "sliced"))
            .input(tf.constant("4 3 0,1:-", "4 3 1,3:-"))
            .inputList(
                List.of(
                    Constants.taking(tf, d.tensor(Shape.of(1, 3))),
                    Constants.taking(tf, d.tensor(Shape.of(3, 3)))))
            .build();
    Output restored = firstRestore(tf, "Restore", d, file, tf.constant("whole"));
    Output scalar = firstRestore(tf, "Restore", d, file, tf.constant("scalar"));
    Output part =
        firstRestore(tf, "RestoreSlice", d, parts, tf.constant("sliced"), tf.constant("4 3 1,3:-"));
    return Script.on(tf)
        .run(save, saveSlices)
        .expect(restored, whole)
        .fetch(restored, scalar, part);
  }

  private static Output firstRestore(Ops tf, String op, Draw d, Output... inputs) {
    OperationBuilder restore = tf.scope().operation(op).attr("dt", d.type());
    for (Output input : inputs) {
      restore.input(input);
    }
    return restore.buildOutput();
  }

  /** Saves two tensors apart, one in two slices, and restores them together. */
  private static Script merge(Draw d) {
    Ops tf = Ops.create();
    String folder = FOLDER + "merge-" + d.type().lowerName();
    Output first = tf.constant(folder + "_temp/part-00000-of-00002");
    Output second = tf.constant(folder + "_temp/part-00001-of-00002");
    Output whole = tf.constant(folder);
    Operation saveFirst =
        tf.io.saveV2(
            first,
            tf.constant("a", "sliced"),
            tf.constant("", "5 0,2"),
            List.of(
                Constants.taking(tf, d.tensor(Shape.of(2, 2))),
                Constants.taking(tf, d.tensor(Shape.of(2)))));
    Operation saveSecond =
        tf.io.saveV2(
            second,
            tf.constant(new String[] {"sliced"}),
            tf.constant(new String[] {"5 2,3"}),
            List.of(Constants.taking(tf, d.tensor(Shape.of(3)))));
    Output parts =
        tf.constant(folder + "_temp/part-00000-of-00002", folder + "_temp/part-00001-of-00002");
    Operation merge =
        tf.withControlDependencies(saveFirst, saveSecond).io.mergeV2Checkpoints(parts, whole);
    List<Output> restored =
        tf.io.restoreV2(
            whole,
            tf.constant("a", "sliced"),
            tf.constant("", "5 2,3"),
            List.of(d.type(), d.type()));
    return Script.on(tf).run(merge).fetch(restored.get(0), restored.get(1));
  }

  private static Script files(String name) {
    Ops tf = Ops.create();
    String folder = FOLDER + name + "/";
    Operation write = write(tf, folder + "deep/a-1.txt", "one");
    Operation writeOther = write(tf, folder + "deep/b[2.txt", "two");
    Output read = tf.io.readFile(tf.constant(folder + "deep/a-1.txt"));
    Output matches =
        tf.io.matchingFiles(
            tf.constant(
                folder + "d*/?-[0-9].txt",
                folder + "*/b\\[*.txt",
                folder + "none-*",
                folder + "deep/a-1.txt"));
    return Script.on(tf)
        .run(write, writeOther)
        .expect(read, Tensor.scalar("one"))
        .expect(
            matches,
            Tensor.of(folder + "deep/a-1.txt", folder + "deep/a-1.txt", folder + "deep/b[2.txt"));
  }

  private static Operation write(Ops tf, String file, String text) {
    return tf.io.writeFile(tf.constant(file), tf.constant(text));
  }
}
