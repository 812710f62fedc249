package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.data.DatasetKernels;
import dev.tributary.internal.kernel.data.SparseSlices;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import java.util.ArrayList;
import java.util.List;

/** Datasets. The client's side of them is {@code Dataset} of the training library. */
final class DatasetOps {
  static final String METADATA = "metadata: string = ''";

  private DatasetOps() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(sources());
    all.addAll(aliases());
    all.addAll(transformations());
    all.addAll(batches());
    all.addAll(passing());
    return all;
  }

  private static List<OpDeclaration> sources() {
    return List.of(
        op("TensorDataset")
            .input("components: Toutput_types")
            .output("handle: variant")
            .attr("Toutput_types: list(type) >= 1")
            .attr("output_shapes: list(shape) >= 1")
            .attr(METADATA)
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::tensors)
            .notDifferentiable(),
        op("TensorSliceDataset")
            .input("components: Toutput_types")
            .output("handle: variant")
            .attr("Toutput_types: list(type) >= 1")
            .attr("output_shapes: list(shape) >= 1")
            .attr("is_files: bool = false")
            .attr(METADATA)
            .attr("replicate_on_split: bool = false")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::tensorSlices)
            .notDifferentiable(),
        elements(
                op("ListDataset")
                    .input("tensors: Tinput_types")
                    .output("handle: variant")
                    .attr("Tinput_types: list(type) >= 1"))
            .attr(METADATA)
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::list)
            .notDifferentiable(),
        op("SparseTensorSliceDataset")
            .input("indices: int64")
            .input("values: Tvalues")
            .input("dense_shape: int64")
            .output("handle: variant")
            .attr("Tvalues: type")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(SparseSlices::kernel)
            .notDifferentiable(),
        elements(
                op("RangeDataset")
                    .input("start: int64")
                    .input("stop: int64")
                    .input("step: int64")
                    .output("handle: variant"))
            .attr(METADATA)
            .attr("replicate_on_split: bool = false")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::range)
            .notDifferentiable());
  }

  private static List<OpDeclaration> transformations() {
    return List.of(
        transformation("RepeatDataset", DatasetKernels::repeat, "count: int64"),
        transformation("TakeDataset", DatasetKernels::take, "count: int64"),
        transformation("SkipDataset", DatasetKernels::skip, "count: int64"),
        transformation("BatchDataset", DatasetKernels::batch, "batch_size: int64"),
        elements(
                of("BatchDatasetV2", "batch_size: int64", "drop_remainder: bool")
                    .attr("parallel_copy: bool = false"))
            .attr(METADATA)
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::batch)
            .notDifferentiable(),
        elements(
                of("ShardDataset", "num_shards: int64", "index: int64")
                    .attr("require_non_empty: bool = false"))
            .attr(METADATA)
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::shard)
            .notDifferentiable(),
        elements(of("PrefetchDataset", "buffer_size: int64"))
            .attr("slack_period: int = 0")
            .attr("legacy_autotune: bool = true")
            .attr("buffer_size_min: int = 0")
            .attr(METADATA)
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::prefetch)
            .notDifferentiable(),
        elements(op("ZipDataset").input("input_datasets: N * variant").output("handle: variant"))
            .attr("N: int >= 1")
            .attr(METADATA)
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::zip)
            .notDifferentiable(),
        transformation(
            "ConcatenateDataset", DatasetKernels::concatenate, "another_dataset: variant"));
  }

  /** Transformations that put elements together or take them apart. */
  private static List<OpDeclaration> batches() {
    return List.of(
        elements(
                of(
                        "ParallelBatchDataset",
                        "batch_size: int64",
                        "num_parallel_calls: int64",
                        "drop_remainder: bool")
                    .attr("parallel_copy: bool = false"))
            .attr("deterministic: string = 'default'")
            .attr(METADATA)
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::batch)
            .notDifferentiable(),
        padded(op("PaddedBatchDataset"), false),
        padded(op("PaddedBatchDatasetV2"), true),
        DatasetChoiceOps.plain(
            "DenseToSparseBatchDataset",
            DatasetKernels::denseToSparseBatch,
            "batch_size: int64",
            "row_shape: int64"),
        elements(
                of(
                        "SlidingWindowDataset",
                        "window_size: int64",
                        "window_shift: int64",
                        "window_stride: int64")
                    .attr("drop_remainder: bool = true"))
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::slidingWindow)
            .notDifferentiable(),
        split("RebatchDataset"),
        elements(of("UnbatchDataset"))
            .attr(METADATA)
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::unbatch)
            .notDifferentiable(),
        transformation(
            "WindowDataset",
            DatasetKernels::window,
            "size: int64",
            "shift: int64",
            "stride: int64",
            "drop_remainder: bool"));
  }

  private static OpDeclaration split(String name) {
    return elements(of(name, "num_replicas: int64"))
        .attr("use_fallback: bool = true")
        .shape(ShapeRules::scalar)
        .kernel(DatasetKernels::split)
        .notDifferentiable();
  }

  private static OpDeclaration padded(Declaration declaration, boolean dropsRemainder) {
    Declaration inputs =
        declaration
            .input("input_dataset: variant")
            .input("batch_size: int64")
            .input("padded_shapes: N * int64")
            .input("padding_values: Toutput_types");
    Declaration outputs =
        dropsRemainder
            ? inputs
                .input("drop_remainder: bool")
                .output("handle: variant")
                .attr("parallel_copy: bool = false")
            : inputs.output("handle: variant");
    return outputs
        .attr("Toutput_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .attr("N: int >= 1")
        .attr(METADATA)
        .shape(ShapeRules::scalar)
        .kernel(DatasetKernels::paddedBatch)
        .notDifferentiable();
  }

  /** Ops that say how a pipeline should run; their datasets are those of their inputs. */
  private static List<OpDeclaration> passing() {
    return List.of(
        elements(of("FinalizeDataset").attr("has_captured_ref: bool = false"))
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::same)
            .notDifferentiable(),
        elements(of("MaxIntraOpParallelismDataset", "max_intra_op_parallelism: int64"))
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::same)
            .notDifferentiable(),
        elements(of("PrivateThreadPoolDataset", "num_threads: int64"))
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::same)
            .notDifferentiable(),
        elements(of("IgnoreErrorsDataset"))
            .attr("log_warning: bool = false")
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::ignoreErrors)
            .notDifferentiable(),
        elements(of("OptionsDataset").attr("serialized_options: string"))
            .attr(METADATA)
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::same)
            .notDifferentiable(),
        elements(of("OptimizeDataset", "optimizations: string"))
            .attr("optimization_configs: list(string) = []")
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::same)
            .notDifferentiable(),
        elements(
                of(
                    "OptimizeDatasetV2",
                    "optimizations_enabled: string",
                    "optimizations_disabled: string",
                    "optimizations_default: string"))
            .attr("optimization_configs: list(string) = []")
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::same)
            .notDifferentiable(),
        elements(
                of("ModelDataset")
                    .attr("algorithm: int = 0")
                    .attr("cpu_budget: int = 0")
                    .attr("ram_budget: int = 0"))
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::same)
            .notDifferentiable());
  }

  /** Names of TensorFlow's earlier releases. */
  private static List<OpDeclaration> aliases() {
    return List.of(
        DatasetChoiceOps.plain("ExperimentalUnbatchDataset", DatasetKernels::unbatch),
        DatasetChoiceOps.plain(
            "ExperimentalDenseToSparseBatchDataset",
            DatasetKernels::denseToSparseBatch,
            "batch_size: int64",
            "row_shape: int64"),
        DatasetChoiceOps.plain(
            "ExperimentalSlidingWindowDataset",
            DatasetKernels::slidingWindow,
            "window_size: int64",
            "window_shift: int64",
            "window_stride: int64"),
        split("ExperimentalRebatchDataset"),
        elements(of("ExperimentalIgnoreErrorsDataset"))
            .attr("log_warning: bool = false")
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::ignoreErrors)
            .notDifferentiable(),
        DatasetChoiceOps.plain(
            "ExperimentalMaxIntraOpParallelismDataset",
            DatasetKernels::same,
            "max_intra_op_parallelism: int64"),
        DatasetChoiceOps.plain(
            "ExperimentalPrivateThreadPoolDataset", DatasetKernels::same, "num_threads: int64"),
        DatasetChoiceOps.plain("NonSerializableDataset", DatasetKernels::same),
        DatasetChoiceOps.plain("ExperimentalNonSerializableDataset", DatasetKernels::same),
        DatasetChoiceOps.plain("LatencyStatsDataset", DatasetKernels::same, "tag: string"),
        DatasetChoiceOps.plain(
            "ExperimentalLatencyStatsDataset", DatasetKernels::same, "tag: string"),
        DatasetChoiceOps.plain("BytesProducedStatsDataset", DatasetKernels::same, "tag: string"),
        DatasetChoiceOps.plain(
            "ExperimentalBytesProducedStatsDataset", DatasetKernels::same, "tag: string"));
  }

  static OpDeclaration transformation(String name, KernelFactory kernel, String... arguments) {
    return elements(of(name, arguments))
        .attr(METADATA)
        .shape(ShapeRules::scalar)
        .kernel(kernel)
        .notDifferentiable();
  }

  /** An op that makes a dataset of another one. */
  static Declaration of(String name, String... arguments) {
    Declaration declaration = op(name).input("input_dataset: variant");
    for (String argument : arguments) {
      declaration = declaration.input(argument);
    }
    return declaration.output("handle: variant");
  }

  static Declaration elements(Declaration declaration) {
    return declaration
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1");
  }
}
