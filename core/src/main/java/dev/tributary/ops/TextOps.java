package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.text.Base64Kernels;
import dev.tributary.internal.kernel.text.ElementStrings;
import dev.tributary.internal.kernel.text.Fingerprints;
import dev.tributary.internal.kernel.text.LetterCase;
import dev.tributary.internal.kernel.text.ReduceJoin;
import dev.tributary.internal.kernel.text.SegmentJoin;
import dev.tributary.internal.kernel.text.Splitting;
import dev.tributary.internal.kernel.text.StringHashes;
import dev.tributary.internal.kernel.text.Substrings;
import dev.tributary.internal.kernel.text.Whitespace;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/** Strings changed, split, joined and put into buckets. */
abstract sealed class TextOps extends PatternOps permits StringOps {
  TextOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("StringLower")
            .input("input: string")
            .output("output: string")
            .attr("encoding: string = ''")
            .shape(ShapeRules::unchanged)
            .kernel(LetterCase::lower)
            .notDifferentiable(),
        op("StringUpper")
            .input("input: string")
            .output("output: string")
            .attr("encoding: string = ''")
            .shape(ShapeRules::unchanged)
            .kernel(LetterCase::upper)
            .notDifferentiable(),
        op("StringStrip")
            .input("input: string")
            .output("output: string")
            .shape(ShapeRules::unchanged)
            .kernel(node -> ElementStrings.map(Whitespace::strip))
            .notDifferentiable(),
        op("StringSplit")
            .input("input: string")
            .input("delimiter: string")
            .output("indices: int64")
            .output("values: string")
            .output("shape: int64")
            .attr("skip_empty: bool = true")
            .shape(TextOps::splitShape)
            .kernel(Splitting::atAnyByte)
            .notDifferentiable(),
        op("StringSplitV2")
            .input("input: string")
            .input("sep: string")
            .output("indices: int64")
            .output("values: string")
            .output("shape: int64")
            .attr("maxsplit: int = -1")
            .shape(TextOps::splitShape)
            .kernel(Splitting::atSeparator)
            .notDifferentiable(),
        op("StringLength")
            .input("input: string")
            .output("output: int32")
            .attr("unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'")
            .shape(ShapeRules::unchanged)
            .kernel(Substrings::length)
            .notDifferentiable(),
        op("Substr")
            .input("input: string")
            .input("pos: T")
            .input("len: T")
            .output("output: string")
            .attr("T: {int32, int64}")
            .attr("unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'")
            .shape(TextOps::substringShape)
            .kernel(Substrings::part)
            .notDifferentiable(),
        op("EncodeBase64")
            .input("input: string")
            .output("output: string")
            .attr("pad: bool = false")
            .shape(ShapeRules::unchanged)
            .kernel(Base64Kernels::encode)
            .notDifferentiable(),
        op("DecodeBase64")
            .input("input: string")
            .output("output: string")
            .shape(ShapeRules::unchanged)
            .kernel(Base64Kernels::decode)
            .notDifferentiable(),
        op("UnsortedSegmentJoin")
            .input("inputs: string")
            .input("segment_ids: Tindices")
            .input("num_segments: Tnumsegments")
            .output("output: string")
            .attr("separator: string = ''")
            .attr("Tindices: {int32, int64}")
            .attr("Tnumsegments: {int32, int64} = int32")
            .shape(SegmentOps::unsortedShape)
            .kernel(SegmentJoin::new)
            .notDifferentiable(),
        op("Fingerprint")
            .input("data: T")
            .input("method: string")
            .output("fingerprint: uint8")
            .attr("T: type")
            .shape(
                c -> {
                  Shape data = c.withRankAtLeast(0, 1);
                  c.withRank(1, 0);
                  c.output(0, Shape.of(data.hasRank() ? data.size(0) : Shape.UNKNOWN, 8));
                })
            .kernel(node -> Fingerprints::compute)
            .notDifferentiable(),
        op("ReduceJoin")
            .input("inputs: string")
            .input("reduction_indices: int32")
            .output("output: string")
            .attr("keep_dims: bool = false")
            .attr("separator: string = ''")
            .shape(TextOps::joinedShape)
            .kernel(ReduceJoin::new)
            .notDifferentiable(),
        op("StringToHashBucketFast")
            .input("input: string")
            .output("output: int64")
            .attr("num_buckets: int >= 1")
            .shape(ShapeRules::unchanged)
            .kernel(StringHashes::fast)
            .notDifferentiable(),
        op("StringToHashBucketStrong")
            .input("input: string")
            .output("output: int64")
            .attr("num_buckets: int >= 1")
            .attr("key: list(int)")
            .shape(ShapeRules::unchanged)
            .kernel(StringHashes::strong)
            .notDifferentiable(),
        op("StringToHashBucket")
            .input("string_tensor: string")
            .output("output: int64")
            .attr("num_buckets: int >= 1")
            .shape(ShapeRules::unchanged)
            .kernel(StringHashes::old)
            .notDifferentiable());
  }

  private static void splitShape(InferenceContext context) {
    context.withRank(0, 1);
    context.withRank(1, 0);
    context.output(0, Shape.of(Shape.UNKNOWN, 2));
    context.output(1, Shape.ofRank(1));
    context.output(2, Shape.of(2));
  }

  private static void substringShape(InferenceContext context) {
    Shape positions = context.merged(1, 2);
    if (context.input(0).hasRank() && positions.hasRank()) {
      context.output(0, Broadcast.shape(context.input(0), positions));
    }
  }

  private static void joinedShape(InferenceContext context) {
    Optional<long[]> axes = KnownValues.complete(context, 1);
    if (context.input(0).hasRank() && axes.isPresent()) {
      boolean keepDims = context.attributes().bool("keep_dims");
      context.output(0, ReduceJoin.joined(context.input(0), axes.get(), keepDims));
    }
  }

  /** Each string with the letters A to Z in lower case. */
  public Output lower(Operand input) {
    return scope.operation("StringLower").input(input).buildOutput();
  }

  /** Each string with the letters a to z in upper case. */
  public Output upper(Operand input) {
    return scope.operation("StringUpper").input(input).buildOutput();
  }

  /** Each string, which is UTF-8, in lower case. */
  public Output lowerUnicode(Operand input) {
    return scope.operation("StringLower").input(input).attr("encoding", "utf-8").buildOutput();
  }

  /** Each string, which is UTF-8, in upper case. */
  public Output upperUnicode(Operand input) {
    return scope.operation("StringUpper").input(input).attr("encoding", "utf-8").buildOutput();
  }

  /** Each string without whitespace at its ends. */
  public Output strip(Operand input) {
    return scope.operation("StringStrip").input(input).buildOutput();
  }

  /** The number of bytes of each string. */
  public Output length(Operand input) {
    return scope.operation("StringLength").input(input).buildOutput();
  }

  /** The number of characters of each UTF-8 string. */
  public Output lengthUnicode(Operand input) {
    return scope.operation("StringLength").input(input).attr("unit", "UTF8_CHAR").buildOutput();
  }

  /** At most {@code length} bytes of each string, from a position on; -1 is the last byte. */
  public Output substring(Operand input, Operand position, Operand length) {
    return substring(input, position, length, "BYTE");
  }

  /** At most {@code length} characters of each string of UTF-8, from a position on. */
  public Output substringUnicode(Operand input, Operand position, Operand length) {
    return substring(input, position, length, "UTF8_CHAR");
  }

  private Output substring(Operand input, Operand position, Operand length, String unit) {
    return scope
        .operation("Substr")
        .input(input)
        .input(position)
        .input(length)
        .attr("unit", unit)
        .buildOutput();
  }

  /** Each string in base64 that is safe in URLs, without padding. */
  public Output encodeBase64(Operand input) {
    return scope.operation("EncodeBase64").input(input).buildOutput();
  }

  /** Each string read as base64 that is safe in URLs, with or without padding. */
  public Output decodeBase64(Operand input) {
    return scope.operation("DecodeBase64").input(input).buildOutput();
  }

  /** The words of each string of a vector, one row for each string. */
  public SparseTensor split(Operand input) {
    return split(input, "");
  }

  /** The parts of each string of a vector between separators, one row for each string. */
  public SparseTensor split(Operand input, String separator) {
    Output sep = new Ops(scope).constant(separator);
    return SparseTensor.of(scope.operation("StringSplitV2").input(input).input(sep).build());
  }

  /** The strings along some axes joined, the first of them fastest; without axes, none. */
  public Output reduceJoin(Operand input, String separator, int... axes) {
    return scope
        .operation("ReduceJoin")
        .input(input)
        .input(new Ops(scope).constant(axes))
        .attr("separator", separator)
        .buildOutput();
  }

  /** A bucket from 0 to {@code buckets} - 1 for each string, always the same one. */
  public Output toHashBucket(Operand input, long buckets) {
    return scope
        .operation("StringToHashBucketFast")
        .input(input)
        .attr("num_buckets", buckets)
        .buildOutput();
  }
}
