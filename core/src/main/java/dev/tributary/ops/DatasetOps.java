package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.data.CallingKernels;
import dev.tributary.internal.kernel.data.DatasetKernels;
import dev.tributary.internal.kernel.data.IteratorKernels;
import dev.tributary.internal.kernel.data.SparseSlices;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Datasets and iterators. The client's side of them is {@code Dataset} of the training library. */
final class DatasetOps {
  static final String METADATA = "metadata: string = ''";

  private DatasetOps() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(sources());
    all.addAll(aliases());
    all.addAll(transformations());
    all.addAll(batches());
    all.addAll(calling());
    all.addAll(parallel());
    all.addAll(withState());
    all.addAll(passing());
    all.addAll(iterators());
    all.addAll(anonymous());
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

  /** Transformations that call a function. */
  private static List<OpDeclaration> calling() {
    return List.of(
        function("MapDataset", "f")
            .attr("use_inter_op_parallelism: bool = true")
            .attr("preserve_cardinality: bool = false")
            .attr("force_synchronous: bool = false")
            .attr(METADATA)
            .kernel(CallingKernels::map)
            .notDifferentiable(),
        function("FilterDataset", "predicate")
            .attr(METADATA)
            .kernel(CallingKernels::filter)
            .notDifferentiable(),
        function("TakeWhileDataset", "predicate")
            .attr(METADATA)
            .kernel(CallingKernels::takeWhile)
            .notDifferentiable(),
        function("FlatMapDataset", "f")
            .attr(METADATA)
            .kernel(CallingKernels::flatMap)
            .notDifferentiable(),
        function("InterleaveDataset", "f", "cycle_length: int64", "block_length: int64")
            .attr(METADATA)
            .kernel(CallingKernels::interleave)
            .notDifferentiable());
  }

  private static List<OpDeclaration> parallel() {
    return List.of(
        function("ParallelMapDataset", "f", "num_parallel_calls: int32")
            .attr("use_inter_op_parallelism: bool = true")
            .attr("sloppy: bool = false")
            .attr("preserve_cardinality: bool = false")
            .attr(METADATA)
            .kernel(CallingKernels::parallelMap)
            .notDifferentiable(),
        function("ParallelMapDatasetV2", "f", "num_parallel_calls: int64")
            .attr("use_inter_op_parallelism: bool = true")
            .attr("deterministic: string = 'default'")
            .attr("preserve_cardinality: bool = false")
            .attr("use_unbounded_threadpool: bool = false")
            .attr(METADATA)
            .kernel(CallingKernels::parallelMap)
            .notDifferentiable(),
        function(
                "MapAndBatchDataset",
                "f",
                "batch_size: int64",
                "num_parallel_calls: int64",
                "drop_remainder: bool")
            .attr("preserve_cardinality: bool = false")
            .attr(METADATA)
            .kernel(CallingKernels::mapAndBatch)
            .notDifferentiable(),
        function(
                "ParallelInterleaveDatasetV2",
                "f",
                "cycle_length: int64",
                "block_length: int64",
                "num_parallel_calls: int64")
            .attr("sloppy: bool = false")
            .attr(METADATA)
            .kernel(CallingKernels::interleave)
            .notDifferentiable(),
        function(
                "ParallelInterleaveDatasetV3",
                List.of("f: func", "deterministic: string = 'default'"),
                "cycle_length: int64",
                "block_length: int64",
                "num_parallel_calls: int64")
            .attr(METADATA)
            .kernel(CallingKernels::interleave)
            .notDifferentiable(),
        function(
                "ParallelInterleaveDatasetV4",
                List.of("f: func", "deterministic: string = 'default'"),
                "cycle_length: int64",
                "block_length: int64",
                "buffer_output_elements: int64",
                "prefetch_input_elements: int64",
                "num_parallel_calls: int64")
            .attr(METADATA)
            .kernel(CallingKernels::interleave)
            .notDifferentiable());
  }

  private static List<OpDeclaration> withState() {
    return List.of(
        elements(
                op("ScanDataset")
                    .input("input_dataset: variant")
                    .input("initial_state: Tstate")
                    .input("other_arguments: Targuments")
                    .output("handle: variant")
                    .attr("f: func")
                    .attr("Tstate: list(type) >= 1")
                    .attr("Targuments: list(type) >= 0"))
            .attr("preserve_cardinality: bool = false")
            .attr("use_default_device: bool = true")
            .attr(METADATA)
            .shape(ShapeRules::scalar)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(CallingKernels::scan)
            .notDifferentiable(),
        elements(
                op("ReduceDataset")
                    .input("input_dataset: variant")
                    .input("initial_state: Tstate")
                    .input("other_arguments: Targuments")
                    .output("components: output_types")
                    .attr("f: func")
                    .attr("Tstate: list(type) >= 1")
                    .attr("Targuments: list(type) >= 0"))
            .attr("use_inter_op_parallelism: bool = true")
            .attr(METADATA)
            .stateful()
            .shape(DatasetOps::componentShapes)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(CallingKernels::reduce)
            .notDifferentiable(),
        elements(
                op("DatasetToSingleElement")
                    .input("dataset: variant")
                    .output("components: output_types"))
            .attr(METADATA)
            .stateful()
            .shape(DatasetOps::componentShapes)
            .kernel(CallingKernels::single)
            .notDifferentiable());
  }

  /** An op that makes a dataset of another one with a function. */
  private static Declaration function(String name, String attribute, String... arguments) {
    return function(name, List.of(attribute + ": func"), arguments);
  }

  private static Declaration function(String name, List<String> attributes, String... arguments) {
    Declaration declaration =
        op(name).input("input_dataset: variant").input("other_arguments: Targuments");
    for (String argument : arguments) {
      declaration = declaration.input(argument);
    }
    declaration = declaration.output("handle: variant");
    for (String attribute : attributes) {
      declaration = declaration.attr(attribute);
    }
    return elements(declaration.attr("Targuments: list(type) >= 0"))
        .shape(ShapeRules::scalar)
        .flag(OpFlag.CALLS_IN_KERNEL);
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
            "ExperimentalBytesProducedStatsDataset", DatasetKernels::same, "tag: string"),
        function("ExperimentalTakeWhileDataset", "predicate")
            .kernel(CallingKernels::takeWhile)
            .notDifferentiable(),
        function(
                "ExperimentalMapAndBatchDataset",
                "f",
                "batch_size: int64",
                "num_parallel_calls: int64",
                "drop_remainder: bool")
            .attr("preserve_cardinality: bool = false")
            .kernel(CallingKernels::mapAndBatch)
            .notDifferentiable(),
        elements(
                op("ExperimentalScanDataset")
                    .input("input_dataset: variant")
                    .input("initial_state: Tstate")
                    .input("other_arguments: Targuments")
                    .output("handle: variant")
                    .attr("f: func")
                    .attr("Tstate: list(type) >= 1")
                    .attr("Targuments: list(type) >= 0"))
            .attr("preserve_cardinality: bool = false")
            .shape(ShapeRules::scalar)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(CallingKernels::scan)
            .notDifferentiable());
  }

  /** Iterators that belong to whoever has their handle. */
  private static List<OpDeclaration> anonymous() {
    return List.of(
        elements(op("AnonymousIterator").output("handle: resource"))
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::anonymous)
            .notDifferentiable(),
        elements(op("AnonymousIteratorV2").output("handle: resource").output("deleter: variant"))
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::anonymous)
            .notDifferentiable(),
        elements(op("AnonymousIteratorV3").output("handle: resource"))
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::anonymous)
            .notDifferentiable(),
        delete("DeleteIterator", IteratorKernels::delete),
        op("IteratorGetDevice")
            .input("resource: resource")
            .output("device: string")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::device)
            .notDifferentiable(),
        placeholder(op("DummyMemoryCache").output("handle: resource")),
        placeholder(
            op("AnonymousMemoryCache").output("handle: resource").output("deleter: variant")),
        delete("DeleteMemoryCache", IteratorKernels::deletePlaceholder),
        placeholder(op("DummySeedGenerator").output("handle: resource")),
        placeholder(
            op("AnonymousSeedGenerator")
                .input("seed: int64")
                .input("seed2: int64")
                .input("reshuffle: bool")
                .output("handle: resource")
                .output("deleter: variant")),
        delete("DeleteSeedGenerator", IteratorKernels::deletePlaceholder));
  }

  private static OpDeclaration placeholder(Declaration declaration) {
    return declaration
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(IteratorKernels::placeholder)
        .notDifferentiable();
  }

  private static OpDeclaration delete(String name, KernelFactory kernel) {
    return op(name)
        .input("handle: resource")
        .input("deleter: variant")
        .stateful()
        .shape(ShapeRules::unknown)
        .kernel(kernel)
        .notDifferentiable();
  }

  private static List<OpDeclaration> iterators() {
    return List.of(
        iterator("Iterator"),
        iterator("IteratorV2"),
        op("IteratorToStringHandle")
            .input("resource_handle: resource")
            .output("string_handle: string")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::toStringHandle)
            .notDifferentiable(),
        fromStringHandle("IteratorFromStringHandle"),
        fromStringHandle("IteratorFromStringHandleV2"),
        op("MakeIterator")
            .input("dataset: variant")
            .input("iterator: resource")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(IteratorKernels::makeIterator)
            .notDifferentiable(),
        op("SerializeIterator")
            .input("resource_handle: resource")
            .output("serialized: variant")
            .attr("external_state_policy: int = 0")
            .stateful()
            .shape(c -> c.output(0, Shape.ofRank(1)))
            .kernel(IteratorKernels::serialize)
            .notDifferentiable(),
        op("DeserializeIterator")
            .input("resource_handle: resource")
            .input("serialized: variant")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(IteratorKernels::deserialize)
            .notDifferentiable(),
        op("IteratorGetModelProto")
            .input("iterator: resource")
            .output("model_proto: string")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::model)
            .notDifferentiable(),
        elements(op("OneShotIterator").output("handle: resource").attr("dataset_factory: func"))
            .attr("container: string = ''")
            .attr("shared_name: string = ''")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::oneShot)
            .notDifferentiable(),
        next("IteratorGetNext"),
        next("IteratorGetNextSync"),
        elements(
                op("IteratorGetNextAsOptional")
                    .input("iterator: resource")
                    .output("optional: variant"))
            .stateful()
            .shape(ShapeRules::scalar)
            .flag(OpFlag.EXPENSIVE)
            .kernel(IteratorKernels::nextAsOptional)
            .notDifferentiable());
  }

  private static OpDeclaration iterator(String name) {
    return elements(
            op(name)
                .output("handle: resource")
                .attr("shared_name: string")
                .attr("container: string"))
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(IteratorKernels::iterator)
        .notDifferentiable();
  }

  private static OpDeclaration fromStringHandle(String name) {
    return op(name)
        .input("string_handle: string")
        .output("resource_handle: resource")
        .attr("output_types: list(type) >= 0 = []")
        .attr("output_shapes: list(shape) >= 0 = []")
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(IteratorKernels::fromStringHandle)
        .notDifferentiable();
  }

  private static OpDeclaration next(String name) {
    return elements(op(name).input("iterator: resource").output("components: output_types"))
        .stateful()
        .shape(DatasetOps::componentShapes)
        .flag(OpFlag.EXPENSIVE)
        .kernel(IteratorKernels::next)
        .notDifferentiable();
  }

  private static void componentShapes(InferenceContext c) {
    List<Shape> shapes = c.attributes().shapes("output_shapes");
    for (int i = 0; i < Math.min(shapes.size(), c.outputCount()); i++) {
      c.output(i, shapes.get(i));
    }
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
