package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.io.DecodeCsv;
import dev.tributary.internal.kernel.io.DecodeRaw;
import dev.tributary.internal.kernel.io.ParseExampleKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Ops that take strings apart: raw bytes, lines of CSV, serialized examples. */
abstract sealed class DecodeOps extends ImageFileOps permits MessageOps {
  DecodeOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(decoders());
    all.addAll(parsers());
    return all;
  }

  private static List<OpDeclaration> decoders() {
    return List.of(
        op("DecodeRaw")
            .input("bytes: string")
            .output("output: out_type")
            .attr(
                "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64,"
                    + " complex64, complex128, bool, bfloat16}")
            .attr("little_endian: bool = true")
            .shape(c -> c.output(0, c.input(0).concatenate(Shape.of(Shape.UNKNOWN))))
            .kernel(DecodeRaw::new)
            .notDifferentiable(),
        op("DecodeCSV")
            .input("records: string")
            .input("record_defaults: OUT_TYPE")
            .output("output: OUT_TYPE")
            .attr("OUT_TYPE: list({float, double, int32, int64, string}) >= 1")
            .attr("field_delim: string = ','")
            .attr("use_quote_delim: bool = true")
            .attr("na_value: string = ''")
            .attr("select_cols: list(int) = []")
            .shape(
                c -> {
                  for (int i = 0; i < c.outputCount(); i++) {
                    c.output(i, c.input(0));
                  }
                })
            .kernel(DecodeCsv::new)
            .notDifferentiable());
  }

  private static List<OpDeclaration> parsers() {
    return List.of(
        op("ParseExample")
            .input("serialized: string")
            .input("names: string")
            .input("sparse_keys: Nsparse * string")
            .input("dense_keys: Ndense * string")
            .input("dense_defaults: Tdense")
            .output("sparse_indices: Nsparse * int64")
            .output("sparse_values: sparse_types")
            .output("sparse_shapes: Nsparse * int64")
            .output("dense_values: Tdense")
            .attr("Nsparse: int >= 0")
            .attr("Ndense: int >= 0")
            .attr("sparse_types: list({float, int64, string}) >= 0")
            .attr("Tdense: list({float, int64, string}) >= 0")
            .attr("dense_shapes: list(shape) >= 0")
            .shape(
                c -> {
                  c.withRank(0, 1);
                  parsedShapes(c, c.input(0), 0);
                })
            .kernel(ParseExampleKernels::parseExample)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("ParseExampleV2")
            .input("serialized: string")
            .input("names: string")
            .input("sparse_keys: string")
            .input("dense_keys: string")
            .input("ragged_keys: string")
            .input("dense_defaults: Tdense")
            .output("sparse_indices: num_sparse * int64")
            .output("sparse_values: sparse_types")
            .output("sparse_shapes: num_sparse * int64")
            .output("dense_values: Tdense")
            .output("ragged_values: ragged_value_types")
            .output("ragged_row_splits: ragged_split_types")
            .attr("Tdense: list({float, int64, string}) >= 0")
            .attr("num_sparse: int >= 0")
            .attr("sparse_types: list({float, int64, string}) >= 0")
            .attr("ragged_value_types: list({float, int64, string}) >= 0")
            .attr("ragged_split_types: list({int32, int64}) >= 0")
            .attr("dense_shapes: list(shape) >= 0")
            .shape(
                c -> {
                  Shape batch = c.input(0);
                  int ragged = c.attributes().types("ragged_value_types").size();
                  parsedShapes(c, batch, ragged);
                })
            .kernel(ParseExampleKernels::parseExampleV2)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("ParseSingleExample")
            .input("serialized: string")
            .input("dense_defaults: Tdense")
            .output("sparse_indices: num_sparse * int64")
            .output("sparse_values: sparse_types")
            .output("sparse_shapes: num_sparse * int64")
            .output("dense_values: Tdense")
            .attr("num_sparse: int >= 0")
            .attr("sparse_keys: list(string) >= 0")
            .attr("dense_keys: list(string) >= 0")
            .attr("sparse_types: list({float, int64, string}) >= 0")
            .attr("Tdense: list({float, int64, string}) >= 0")
            .attr("dense_shapes: list(shape) >= 0")
            .shape(
                c -> {
                  c.withRank(0, 0);
                  parsedShapes(c, Shape.scalar(), 0);
                })
            .kernel(ParseExampleKernels::parseSingleExample)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable());
  }

  /**
   * Sparse tensors have a dimension for the examples, if there is one, and one for values; dense
   * ones have theirs behind it.
   */
  private static void parsedShapes(InferenceContext context, Shape batch, int ragged) {
    int sparse = context.attributes().types("sparse_types").size();
    List<Shape> dense = context.attributes().shapes("dense_shapes");
    boolean knows = 3 * sparse + dense.size() + 2 * ragged == context.outputCount();
    if (!knows || !batch.hasRank()) {
      return;
    }
    int rank = batch.rank() + 1;
    for (int i = 0; i < sparse; i++) {
      context.output(i, Shape.of(Shape.UNKNOWN, rank));
      context.output(sparse + i, Shape.ofRank(1));
      context.output(2 * sparse + i, Shape.of(rank));
    }
    for (int i = 0; i < dense.size(); i++) {
      context.output(3 * sparse + i, batch.concatenate(dense.get(i)));
    }
    for (int i = 0; i < ragged; i++) {
      int values = 3 * sparse + dense.size() + i;
      context.output(values, Shape.ofRank(1));
      context.output(values + ragged, Shape.ofRank(1));
    }
  }

  // ---- client methods ----

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

  /** Parses a vector of serialized examples. */
  public ParsedExamples parseExample(Operand serialized, ExampleFeatures features) {
    return features.parseExample(scope, serialized.asOutput());
  }

  /** Parses one serialized example, a scalar. */
  public ParsedExamples parseSingleExample(Operand serialized, ExampleFeatures features) {
    return features.parseSingleExample(scope, serialized.asOutput());
  }
}
