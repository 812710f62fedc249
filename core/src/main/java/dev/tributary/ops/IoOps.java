package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;
import static dev.tributary.ops.ResourceDeclaration.versioned;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.io.CheckpointKernels;
import dev.tributary.internal.kernel.io.FileKernels;
import dev.tributary.internal.kernel.io.ReaderKernels;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.internal.wire.VariantMessages;
import dev.tributary.record.Compression;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Files: checkpoints, whole files and their names, and readers of their records. They are those of
 * the device that runs the op. The client methods of the ops that use a reader are in {@link
 * Reader}.
 */
public final class IoOps extends RemapOps {
  /** The graph version from which on readers with a reference for a handle are deprecated. */
  private static final int READERS_WITHDRAWN = 26;

  /**
   * The fields of messages.
   *
   * @param sizes the number of values of each field in each message
   * @param values for each field, its values with one dimension more than the messages have, filled
   *     up with the field's default
   */
  public record DecodedProto(Output sizes, List<Output> values) {}

  IoOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(files());
    all.addAll(firstCheckpoints());
    for (HandleForm form : HandleForm.values()) {
      all.addAll(readerMakers(form));
      all.addAll(readerUsers(form));
    }
    return all;
  }

  private static List<OpDeclaration> files() {
    return List.of(
        op("SaveV2")
            .input("prefix: string")
            .input("tensor_names: string")
            .input("shape_and_slices: string")
            .input("tensors: dtypes")
            .attr("dtypes: list(type) >= 1")
            .stateful()
            .shape(IoOps::requireVectors)
            .kernel(node -> CheckpointKernels.save(node, VariantMessages.FORM))
            .notDifferentiable(),
        op("RestoreV2")
            .input("prefix: string")
            .input("tensor_names: string")
            .input("shape_and_slices: string")
            .output("tensors: dtypes")
            .attr("dtypes: list(type) >= 1")
            .stateful()
            .shape(IoOps::requireVectors)
            .kernel(node -> CheckpointKernels.restore(node, VariantMessages.FORM))
            .notDifferentiable(),
        op("MergeV2Checkpoints")
            .input("checkpoint_prefixes: string")
            .input("destination_prefix: string")
            .attr("delete_old_dirs: bool = true")
            .attr("allow_missing_files: bool = false")
            .stateful()
            .shape(
                c -> {
                  c.withRank(0, 1);
                  c.withRank(1, 0);
                })
            .kernel(CheckpointKernels::merge)
            .notDifferentiable(),
        op("ShardedFilename")
            .input("basename: string")
            .input("shard: int32")
            .input("num_shards: int32")
            .output("filename: string")
            .shape(ShapeRules::scalar)
            .kernel(node -> FileKernels::shardedFilename)
            .notDifferentiable(),
        op("ShardedFilespec")
            .input("basename: string")
            .input("num_shards: int32")
            .output("filename: string")
            .shape(ShapeRules::scalar)
            .kernel(node -> FileKernels::shardedFilespec)
            .notDifferentiable(),
        op("ReadFile")
            .input("filename: string")
            .output("contents: string")
            .shape(IoOps::scalars)
            .kernel(FileKernels::read)
            .flag(OpFlag.NOT_FOLDABLE)
            .notDifferentiable(),
        op("WriteFile")
            .input("filename: string")
            .input("contents: string")
            .stateful()
            .shape(IoOps::scalars)
            .kernel(FileKernels::write)
            .notDifferentiable(),
        op("MatchingFiles")
            .input("pattern: string")
            .output("filenames: string")
            .shape(c -> c.output(0, Shape.ofRank(1)))
            .kernel(FileKernels::matching)
            .flag(OpFlag.NOT_FOLDABLE)
            .notDifferentiable());
  }

  /** The prefix is a scalar, names and slices are vectors of one length. */
  /**
   * Ops for checkpoints of the first version, which old graphs have; they need no client methods.
   */
  private static List<OpDeclaration> firstCheckpoints() {
    return List.of(
        op("Save")
            .input("filename: string")
            .input("tensor_names: string")
            .input("data: T")
            .attr("T: list(type) >= 1")
            .stateful()
            .shape(
                c -> {
                  c.withRank(0, 0);
                  c.withRank(1, 1);
                })
            .kernel(CheckpointKernels::saveV1)
            .notDifferentiable(),
        op("SaveSlices")
            .input("filename: string")
            .input("tensor_names: string")
            .input("shapes_and_slices: string")
            .input("data: T")
            .attr("T: list(type) >= 1")
            .stateful()
            .shape(IoOps::requireVectors)
            .kernel(CheckpointKernels::saveSlicesV1)
            .notDifferentiable(),
        op("Restore")
            .input("file_pattern: string")
            .input("tensor_name: string")
            .output("tensor: dt")
            .attr("dt: type")
            .attr("preferred_shard: int = -1")
            .stateful()
            .shape(IoOps::requireScalars)
            .kernel(CheckpointKernels::restoreSingle)
            .notDifferentiable(),
        op("RestoreSlice")
            .input("file_pattern: string")
            .input("tensor_name: string")
            .input("shape_and_slice: string")
            .output("tensor: dt")
            .attr("dt: type")
            .attr("preferred_shard: int = -1")
            .stateful()
            .shape(IoOps::requireScalars)
            .kernel(CheckpointKernels::restoreSingle)
            .notDifferentiable());
  }

  private static void requireScalars(InferenceContext context) {
    for (int i = 0; i < context.inputCount(); i++) {
      context.withRank(i, 0);
    }
    ShapeRules.unknown(context);
  }

  private static void requireVectors(InferenceContext context) {
    context.withRank(0, 0);
    context.withRank(1, 1);
    context.withRank(2, 1);
    context.merged(1, 2);
  }

  private static void scalars(InferenceContext context) {
    requireScalars(context);
    ShapeRules.scalar(context);
  }

  private static List<OpDeclaration> readerMakers(HandleForm form) {
    Declaration fixedLength =
        withdrawn("FixedLengthRecordReader", form)
            .attr("header_bytes: int = 0")
            .attr("record_bytes: int")
            .attr("footer_bytes: int = 0")
            .attr("hop_bytes: int = 0");
    named(fixedLength);
    if (form == HandleForm.RESOURCE) {
      fixedLength.attr("encoding: string = ''");
    }
    return List.of(
        named(readerMaker("WholeFileReader", form))
            .kernel(node -> ReaderKernels.wholeFile(node, form))
            .notDifferentiable(),
        named(withdrawn("IdentityReader", form))
            .kernel(node -> ReaderKernels.identity(node, form))
            .notDifferentiable(),
        named(withdrawn("TextLineReader", form).attr("skip_header_lines: int = 0"))
            .kernel(node -> ReaderKernels.textLine(node, form))
            .notDifferentiable(),
        fixedLength.kernel(node -> ReaderKernels.fixedLength(node, form)).notDifferentiable(),
        named(withdrawn("TFRecordReader", form))
            .attr("compression_type: string = ''")
            .kernel(node -> ReaderKernels.tfRecord(node, form))
            .notDifferentiable());
  }

  private static List<OpDeclaration> readerUsers(HandleForm form) {
    return List.of(
        readerUser("ReaderRead", form)
            .input("queue_handle" + ResourceDeclaration.type(form))
            .output("key: string")
            .output("value: string")
            .shape(ShapeRules::scalar)
            .kernel(node -> ReaderKernels.read(node, form))
            .notDifferentiable(),
        readerUser("ReaderReadUpTo", form)
            .input("queue_handle" + ResourceDeclaration.type(form))
            .input("num_records: int64")
            .output("keys: string")
            .output("values: string")
            .shape(IoOps::keysAndValues)
            .kernel(node -> ReaderKernels.readUpTo(node, form))
            .notDifferentiable(),
        readerUser("ReaderNumRecordsProduced", form)
            .output("records_produced: int64")
            .shape(ShapeRules::scalar)
            .kernel(node -> ReaderKernels.recordsProduced(node, form))
            .notDifferentiable(),
        readerUser("ReaderNumWorkUnitsCompleted", form)
            .output("units_completed: int64")
            .shape(ShapeRules::scalar)
            .kernel(node -> ReaderKernels.workUnitsCompleted(node, form))
            .notDifferentiable(),
        readerUser("ReaderSerializeState", form)
            .output("state: string")
            .shape(ShapeRules::scalar)
            .kernel(node -> ReaderKernels.serializeState(node, form))
            .notDifferentiable(),
        readerUser("ReaderRestoreState", form)
            .input("state: string")
            .shape(c -> c.withRank(1, 0))
            .kernel(node -> ReaderKernels.restoreState(node, form))
            .notDifferentiable(),
        readerUser("ReaderReset", form)
            .shape(ShapeRules::unknown)
            .kernel(node -> ReaderKernels.reset(node, form))
            .notDifferentiable());
  }

  private static void keysAndValues(InferenceContext context) {
    context.withRank(2, 0);
    context.output(0, Shape.ofRank(1));
    context.output(1, Shape.ofRank(1));
  }

  private static Declaration readerMaker(String name, HandleForm form) {
    return ResourceDeclaration.maker(versioned(name, form), form, "reader_handle");
  }

  /** A maker whose form with references is no longer for new graphs. */
  private static Declaration withdrawn(String name, HandleForm form) {
    Declaration maker = readerMaker(name, form);
    return form == HandleForm.REFERENCE
        ? maker.deprecated(READERS_WITHDRAWN, "Use " + name + "V2")
        : maker;
  }

  private static Declaration named(Declaration maker) {
    return maker.attr("container: string = ''").attr("shared_name: string = ''");
  }

  private static Declaration readerUser(String name, HandleForm form) {
    return ResourceDeclaration.user(versioned(name, form), form, "reader_handle");
  }

  // ---- checkpoints ----

  /**
   * Writes a checkpoint.
   *
   * @param prefix the prefix of its files' names, a string scalar
   * @param tensorNames a vector with the name of each tensor
   * @param shapeAndSlices a vector with, for each tensor, "" or the part of a larger one that it
   *     is, such as {@code "100 64 0,50:-"}
   */
  public Operation saveV2(
      Operand prefix,
      Operand tensorNames,
      Operand shapeAndSlices,
      List<? extends Operand> tensors) {
    return scope
        .operation("SaveV2")
        .input(prefix)
        .input(tensorNames)
        .input(shapeAndSlices)
        .inputList(tensors)
        .build();
  }

  /** Reads tensors of these types from a checkpoint; the inputs are those of {@link #saveV2}. */
  public List<Output> restoreV2(
      Operand prefix, Operand tensorNames, Operand shapeAndSlices, List<DataType> types) {
    return scope
        .operation("RestoreV2")
        .input(prefix)
        .input(tensorNames)
        .input(shapeAndSlices)
        .attr("dtypes", types)
        .build()
        .outputs();
  }

  /**
   * Makes one checkpoint of several, which are gone then, and so are the folders they lay in if
   * these are empty.
   */
  public Operation mergeV2Checkpoints(Operand prefixes, Operand destinationPrefix) {
    return scope.operation("MergeV2Checkpoints").input(prefixes).input(destinationPrefix).build();
  }

  /** {@code basename-00002-of-00005} for shard 2 of 5. */
  public Output shardedFilename(Operand basename, Operand shard, Operand shardCount) {
    return scope
        .operation("ShardedFilename")
        .input(basename)
        .input(shard)
        .input(shardCount)
        .buildOutput();
  }

  /** The pattern of the names of all shards. */
  public Output shardedFilespec(Operand basename, Operand shardCount) {
    return scope.operation("ShardedFilespec").input(basename).input(shardCount).buildOutput();
  }

  // ---- files ----

  /** The content of a file as one string. */
  public Output readFile(Operand filename) {
    return scope.operation("ReadFile").input(filename).buildOutput();
  }

  /** Writes a string into a file, and makes its folder if there is none. */
  public Operation writeFile(Operand filename, Operand contents) {
    return scope.operation("WriteFile").input(filename).input(contents).build();
  }

  /** The names of the files that match a pattern or one of a vector of them, sorted. */
  public Output matchingFiles(Operand pattern) {
    return scope.operation("MatchingFiles").input(pattern).buildOutput();
  }

  // ---- readers ----

  /** Reads files of which each is one record. */
  public Reader wholeFileReader() {
    return new Reader(scope, scope.operation("WholeFileReaderV2").buildOutput());
  }

  /** Reads the lines of text files, after the first {@code skippedLines} of each. */
  public Reader textLineReader(int skippedLines) {
    return new Reader(
        scope,
        scope.operation("TextLineReaderV2").attr("skip_header_lines", skippedLines).buildOutput());
  }

  /** Reads records of one length between a header and a footer. */
  public Reader fixedLengthRecordReader(int headerBytes, int recordBytes, int footerBytes) {
    return new Reader(
        scope,
        scope
            .operation("FixedLengthRecordReaderV2")
            .attr("header_bytes", headerBytes)
            .attr("record_bytes", recordBytes)
            .attr("footer_bytes", footerBytes)
            .buildOutput());
  }

  /** Reads TFRecord files. */
  public Reader tfRecordReader(Compression compression) {
    return new Reader(
        scope,
        scope
            .operation("TFRecordReaderV2")
            .attr("compression_type", compression.attributeValue())
            .buildOutput());
  }

  /** Gives its work as records. */
  public Reader identityReader() {
    return new Reader(scope, scope.operation("IdentityReaderV2").buildOutput());
  }
}
