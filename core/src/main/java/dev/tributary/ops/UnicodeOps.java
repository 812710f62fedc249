package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.text.NGrams;
import dev.tributary.internal.kernel.text.UnicodeKernels;
import dev.tributary.internal.kernel.text.UnicodeScripts;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Strings as rows of characters, and rows of strings as n-grams. */
abstract sealed class UnicodeOps permits PatternOps {
  private static final String ENCODINGS = "{'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}";

  final Scope scope;

  UnicodeOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("UnicodeScript")
            .input("input: int32")
            .output("output: int32")
            .shape(ShapeRules::unchanged)
            .kernel(node -> UnicodeScripts::compute)
            .notDifferentiable(),
        decoder(
                op("UnicodeDecode")
                    .input("input: string")
                    .output("row_splits: Tsplits")
                    .output("char_values: int32"))
            .kernel(node -> UnicodeKernels.decode(node, false))
            .notDifferentiable(),
        decoder(
                op("UnicodeDecodeWithOffsets")
                    .input("input: string")
                    .output("row_splits: Tsplits")
                    .output("char_values: int32")
                    .output("char_to_byte_starts: int64"))
            .kernel(node -> UnicodeKernels.decode(node, true))
            .notDifferentiable(),
        op("UnicodeEncode")
            .input("input_values: int32")
            .input("input_splits: Tsplits")
            .output("output: string")
            .attr("errors: {'ignore', 'replace', 'strict'} = 'replace'")
            .attr("output_encoding: " + ENCODINGS)
            .attr("replacement_char: int = 65533")
            .attr("Tsplits: {int32, int64} = int64")
            .shape(
                c -> {
                  c.withRank(0, 1);
                  c.output(0, rows(c.withRank(1, 1)));
                })
            .kernel(UnicodeKernels::encode)
            .notDifferentiable(),
        op("UnicodeTranscode")
            .input("input: string")
            .output("output: string")
            .attr("input_encoding: string")
            .attr("output_encoding: " + ENCODINGS)
            .attr("errors: {'strict', 'replace', 'ignore'} = 'replace'")
            .attr("replacement_char: int = 65533")
            .attr("replace_control_characters: bool = false")
            .shape(ShapeRules::unchanged)
            .kernel(UnicodeKernels::transcode)
            .notDifferentiable(),
        op("StringNGrams")
            .input("data: string")
            .input("data_splits: Tsplits")
            .output("ngrams: string")
            .output("ngrams_splits: Tsplits")
            .attr("separator: string")
            .attr("ngram_widths: list(int) >= 0")
            .attr("left_pad: string")
            .attr("right_pad: string")
            .attr("pad_width: int")
            .attr("preserve_short_sequences: bool")
            .attr("Tsplits: {int32, int64} = int64")
            .shape(
                c -> {
                  c.withRank(0, 1);
                  c.output(0, Shape.ofRank(1));
                  c.output(1, c.withRank(1, 1));
                })
            .kernel(NGrams::new)
            .notDifferentiable());
  }

  private static Declaration decoder(Declaration start) {
    return start
        .attr("input_encoding: string")
        .attr("errors: {'strict', 'replace', 'ignore'} = 'replace'")
        .attr("replacement_char: int = 65533")
        .attr("replace_control_characters: bool = false")
        .attr("Tsplits: {int32, int64} = int64")
        .shape(UnicodeOps::decodedShape);
  }

  private static void decodedShape(InferenceContext context) {
    long strings = context.input(0).elementCount();
    context.output(0, Shape.of(strings == Shape.UNKNOWN ? Shape.UNKNOWN : strings + 1));
    for (int i = 1; i < context.outputCount(); i++) {
      context.output(i, Shape.ofRank(1));
    }
  }

  /** A vector with an element for each row that splits part. */
  private static Shape rows(Shape splits) {
    return Shape.of(splits.size(0) <= 0 ? Shape.UNKNOWN : splits.size(0) - 1);
  }

  /** The code points of each string of an encoding such as UTF-8, one row for each string. */
  public RaggedTensor unicodeDecode(Operand input, String encoding) {
    Operation decoded =
        scope.operation("UnicodeDecode").input(input).attr("input_encoding", encoding).build();
    return new RaggedTensor(decoded.output(1), decoded.output(0));
  }

  /** The string in UTF-8 of each row of code points. */
  public Output unicodeEncode(RaggedTensor points) {
    return scope
        .operation("UnicodeEncode")
        .input(points.values())
        .input(points.rowSplits())
        .attr("output_encoding", "UTF-8")
        .buildOutput();
  }

  /** Each string of an encoding in UTF-8, where U+FFFD replaces what is not valid. */
  public Output unicodeTranscode(Operand input, String encoding) {
    return scope
        .operation("UnicodeTranscode")
        .input(input)
        .attr("input_encoding", encoding)
        .attr("output_encoding", "UTF-8")
        .buildOutput();
  }

  /** The script of each code point, by the numbers of the ICU library; -1 for no code point. */
  public Output unicodeScript(Operand codePoints) {
    return scope.operation("UnicodeScript").input(codePoints).buildOutput();
  }

  /** Each {@code width} neighbours of a row of strings, joined, without padding. */
  public RaggedTensor nGrams(RaggedTensor strings, int width, String separator) {
    Operation grams =
        scope
            .operation("StringNGrams")
            .input(strings.values())
            .input(strings.rowSplits())
            .attr("separator", separator)
            .attr("ngram_widths", List.of(width))
            .attr("left_pad", "")
            .attr("right_pad", "")
            .attr("pad_width", 0)
            .attr("preserve_short_sequences", false)
            .build();
    return new RaggedTensor(grams.output(0), grams.output(1));
  }
}
