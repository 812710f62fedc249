package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.io.DecodeCompressed;
import dev.tributary.internal.kernel.io.DecodePaddedRaw;
import dev.tributary.internal.kernel.io.ParseSequenceKernels;
import dev.tributary.internal.kernel.io.TensorMessages;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** Ops that unpack strings, and that parse messages with tensors and with sequences. */
abstract sealed class ParseOps permits ImageFileOps {
  final Scope scope;

  ParseOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("DecodeCompressed")
            .input("bytes: string")
            .output("output: string")
            .attr("compression_type: string = ''")
            .shape(ShapeRules::unchanged)
            .kernel(DecodeCompressed::new)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("DecodePaddedRaw")
            .input("input_bytes: string")
            .input("fixed_length: int32")
            .output("output: out_type")
            .attr(
                "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64,"
                    + " bfloat16}")
            .attr("little_endian: bool = true")
            .shape(ParseOps::paddedShape)
            .kernel(DecodePaddedRaw::new)
            .notDifferentiable(),
        op("ParseTensor")
            .input("serialized: string")
            .output("output: out_type")
            .attr("out_type: type")
            .shape(ShapeRules::unknown)
            .kernel(node -> TensorMessages.parse(node, TensorProtos::toTensor))
            .notDifferentiable(),
        op("SerializeTensor")
            .input("tensor: T")
            .output("serialized: string")
            .attr("T: type")
            .shape(ShapeRules::scalar)
            .kernel(node -> TensorMessages.serialize(TensorProtos::toBytes))
            .notDifferentiable(),
        sequences(
                op("ParseSequenceExample")
                    .input("serialized: string")
                    .input("debug_name: string")
                    .input("context_dense_defaults: Tcontext_dense"))
            .output("feature_list_dense_lengths: Nfeature_list_dense * int64")
            .attr("feature_list_dense_missing_assumed_empty: list(string) >= 0")
            .attr("context_sparse_keys: list(string) >= 0")
            .attr("context_dense_keys: list(string) >= 0")
            .attr("feature_list_sparse_keys: list(string) >= 0")
            .attr("feature_list_dense_keys: list(string) >= 0")
            .attr("Ncontext_sparse: int >= 0 = 0")
            .attr("Ncontext_dense: int >= 0 = 0")
            .attr("Nfeature_list_sparse: int >= 0 = 0")
            .attr("Nfeature_list_dense: int >= 0 = 0")
            .attr("context_sparse_types: list({float, int64, string}) >= 0 = []")
            .attr("Tcontext_dense: list({float, int64, string}) >= 0 = []")
            .attr("feature_list_dense_types: list({float, int64, string}) >= 0 = []")
            .attr("context_dense_shapes: list(shape) >= 0 = []")
            .attr("feature_list_sparse_types: list({float, int64, string}) >= 0 = []")
            .attr("feature_list_dense_shapes: list(shape) >= 0 = []")
            .kernel(ParseSequenceKernels::parseSequenceExample)
            .notDifferentiable(),
        op("ParseSequenceExampleV2")
            .input("serialized: string")
            .input("debug_name: string")
            .input("context_sparse_keys: string")
            .input("context_dense_keys: string")
            .input("context_ragged_keys: string")
            .input("feature_list_sparse_keys: string")
            .input("feature_list_dense_keys: string")
            .input("feature_list_ragged_keys: string")
            .input("feature_list_dense_missing_assumed_empty: bool")
            .input("context_dense_defaults: Tcontext_dense")
            .output("context_sparse_indices: Ncontext_sparse * int64")
            .output("context_sparse_values: context_sparse_types")
            .output("context_sparse_shapes: Ncontext_sparse * int64")
            .output("context_dense_values: Tcontext_dense")
            .output("context_ragged_values: context_ragged_value_types")
            .output("context_ragged_row_splits: context_ragged_split_types")
            .output("feature_list_sparse_indices: Nfeature_list_sparse * int64")
            .output("feature_list_sparse_values: feature_list_sparse_types")
            .output("feature_list_sparse_shapes: Nfeature_list_sparse * int64")
            .output("feature_list_dense_values: feature_list_dense_types")
            .output("feature_list_dense_lengths: Nfeature_list_dense * int64")
            .output("feature_list_ragged_values: feature_list_ragged_value_types")
            .output("feature_list_ragged_outer_splits: feature_list_ragged_split_types")
            .output("feature_list_ragged_inner_splits: feature_list_ragged_split_types")
            .attr("Ncontext_sparse: int >= 0 = 0")
            .attr("Tcontext_dense: list({float, int64, string}) >= 0 = []")
            .attr("context_sparse_types: list({float, int64, string}) >= 0 = []")
            .attr("context_ragged_value_types: list({float, int64, string}) >= 0 = []")
            .attr("context_ragged_split_types: list({int32, int64}) >= 0 = []")
            .attr("context_dense_shapes: list(shape) >= 0 = []")
            .attr("Nfeature_list_sparse: int >= 0 = 0")
            .attr("Nfeature_list_dense: int >= 0 = 0")
            .attr("feature_list_dense_types: list({float, int64, string}) >= 0 = []")
            .attr("feature_list_sparse_types: list({float, int64, string}) >= 0 = []")
            .attr("feature_list_ragged_value_types: list({float, int64, string}) >= 0 = []")
            .attr("feature_list_ragged_split_types: list({int32, int64}) >= 0 = []")
            .attr("feature_list_dense_shapes: list(shape) >= 0 = []")
            .shape(ShapeRules::unknown)
            .kernel(ParseSequenceKernels::parseSequenceExampleV2)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        sequences(
                op("ParseSingleSequenceExample")
                    .input("serialized: string")
                    .input("feature_list_dense_missing_assumed_empty: string")
                    .input("context_sparse_keys: Ncontext_sparse * string")
                    .input("context_dense_keys: Ncontext_dense * string")
                    .input("feature_list_sparse_keys: Nfeature_list_sparse * string")
                    .input("feature_list_dense_keys: Nfeature_list_dense * string")
                    .input("context_dense_defaults: Tcontext_dense")
                    .input("debug_name: string"))
            .attr("Ncontext_sparse: int >= 0 = 0")
            .attr("Ncontext_dense: int >= 0 = 0")
            .attr("Nfeature_list_sparse: int >= 0 = 0")
            .attr("Nfeature_list_dense: int >= 0 = 0")
            .attr("context_sparse_types: list({float, int64, string}) >= 0 = []")
            .attr("Tcontext_dense: list({float, int64, string}) >= 0 = []")
            .attr("feature_list_dense_types: list({float, int64, string}) >= 0 = []")
            .attr("context_dense_shapes: list(shape) >= 0 = []")
            .attr("feature_list_sparse_types: list({float, int64, string}) >= 0 = []")
            .attr("feature_list_dense_shapes: list(shape) >= 0 = []")
            .kernel(ParseSequenceKernels::parseSingleSequenceExample)
            .notDifferentiable());
  }

  /** The outputs that the ops without ragged features share. */
  private static Declaration sequences(Declaration declaration) {
    return declaration
        .output("context_sparse_indices: Ncontext_sparse * int64")
        .output("context_sparse_values: context_sparse_types")
        .output("context_sparse_shapes: Ncontext_sparse * int64")
        .output("context_dense_values: Tcontext_dense")
        .output("feature_list_sparse_indices: Nfeature_list_sparse * int64")
        .output("feature_list_sparse_values: feature_list_sparse_types")
        .output("feature_list_sparse_shapes: Nfeature_list_sparse * int64")
        .output("feature_list_dense_values: feature_list_dense_types")
        .shape(ShapeRules::unknown)
        .flag(OpFlag.EXPENSIVE);
  }

  private static void paddedShape(InferenceContext context) {
    context.withRank(1, 0);
    Optional<Tensor> length = context.constant(1);
    int size = context.attributes().type("out_type").size();
    boolean fits =
        length.isPresent() && length.get().intValue() > 0 && length.get().intValue() % size == 0;
    long width = fits ? length.get().intValue() / size : Shape.UNKNOWN;
    context.output(0, context.input(0).concatenate(Shape.of(width)));
  }

  /**
   * The strings without their compression, {@code ZLIB} or {@code GZIP}. A step fails with
   * RESOURCE_EXHAUSTED if they would take more than a quarter of the heap.
   */
  public Output decodeCompressed(Operand bytes, String compression) {
    return scope
        .operation("DecodeCompressed")
        .input(bytes)
        .attr("compression_type", compression)
        .buildOutput();
  }

  /**
   * The bytes of each string as little-endian elements of a type, in one more dimension. Strings
   * are cut or filled up with zeros to {@code fixedLength} bytes.
   */
  public Output decodePaddedRaw(Operand bytes, Operand fixedLength, DataType type) {
    return scope
        .operation("DecodePaddedRaw")
        .input(bytes)
        .input(fixedLength)
        .attr("out_type", type)
        .buildOutput();
  }

  /** The tensor in a serialized {@code TensorProto}, which must be of this type. */
  public Output parseTensor(Operand serialized, DataType type) {
    return scope.operation("ParseTensor").input(serialized).attr("out_type", type).buildOutput();
  }

  /** The bytes of a {@code TensorProto} with a tensor. */
  public Output serializeTensor(Operand tensor) {
    return scope.operation("SerializeTensor").input(tensor).buildOutput();
  }

  /**
   * Parses a vector of serialized {@code SequenceExample} messages.
   *
   * @param context the features of their contexts
   * @param lists their feature lists: {@linkplain ExampleFeatures#fixed fixed} ones have rows of
   *     one shape, {@linkplain ExampleFeatures#varying varying} ones any values
   */
  public ParsedSequences parseSequenceExample(
      Operand serialized, ExampleFeatures context, ExampleFeatures lists) {
    return ExampleFeatures.parseSequences(scope, serialized.asOutput(), context, lists);
  }
}
