package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.record.Compression;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Files: checkpoints, whole files and their names. They are those of the device that runs the op.
 */
public final class IoOps {
  private final Scope scope;

  IoOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    all.addAll(FileDeclarations.declarations());
    all.addAll(DecodeDeclarations.declarations());
    all.addAll(ParseDeclarations.declarations());
    all.addAll(ReaderDeclarations.declarations());
    return all;
  }

  // ---- checkpoints ----

  /**
   * Writes a checkpoint.
   *
   * @param prefix what the names of its files begin with, a string scalar
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

  // ---- what is in files ----

  /** The bytes of each string as little-endian elements of a type, in one more dimension. */
  public Output decodeRaw(Operand bytes, DataType type) {
    return scope.operation("DecodeRaw").input(bytes).attr("out_type", type).buildOutput();
  }

  /**
   * The fields of lines of CSV, column by column.
   *
   * @param defaults for each column a tensor of its type: with one element, which stands for empty
   *     fields, or with none if the column must not be empty
   */
  public List<Output> decodeCsv(
      Operand records, List<? extends Operand> defaults, String delimiter) {
    return scope
        .operation("DecodeCSV")
        .input(records)
        .inputList(defaults)
        .attr("field_delim", delimiter)
        .build()
        .outputs();
  }

  /** A PNG image as uint8 [height, width, channels]; 0 channels for those it has. */
  public Output decodePng(Operand contents, int channels) {
    return scope.operation("DecodePng").input(contents).attr("channels", channels).buildOutput();
  }

  /** A JPEG image as uint8 [height, width, channels]; 0 channels for those it has. */
  public Output decodeJpeg(Operand contents, int channels) {
    return scope.operation("DecodeJpeg").input(contents).attr("channels", channels).buildOutput();
  }

  /** The bytes of a PNG image, made of uint8 [height, width, channels]. */
  public Output encodePng(Operand image) {
    return scope.operation("EncodePng").input(image).buildOutput();
  }

  /** Parses a vector of serialized examples. */
  public ParsedExamples parseExample(Operand serialized, ExampleFeatures features) {
    return features.parseExample(scope, serialized.asOutput());
  }

  /** Parses one serialized example, a scalar. */
  public ParsedExamples parseSingleExample(Operand serialized, ExampleFeatures features) {
    return features.parseSingleExample(scope, serialized.asOutput());
  }
}
