package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.data.CallingKernels;
import dev.tributary.internal.kernel.data.ExampleKernels;
import dev.tributary.internal.kernel.data.InterleaveKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import java.util.ArrayList;
import java.util.List;

/** Datasets that call functions on the elements of another one. */
final class DatasetFunctionOps {
  private DatasetFunctionOps() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(calling());
    all.addAll(parallel());
    all.addAll(interleaves());
    all.addAll(withState());
    all.addAll(examples());
    all.addAll(aliases());
    return all;
  }

  /** Transformations that call a function. */
  private static List<OpDeclaration> calling() {
    return List.of(
        function("MapDataset", "f")
            .attr("use_inter_op_parallelism: bool = true")
            .attr("preserve_cardinality: bool = false")
            .attr("force_synchronous: bool = false")
            .attr(DatasetOps.METADATA)
            .kernel(CallingKernels::map)
            .notDifferentiable(),
        function("FilterDataset", "predicate")
            .attr(DatasetOps.METADATA)
            .kernel(CallingKernels::filter)
            .notDifferentiable(),
        function("TakeWhileDataset", "predicate")
            .attr(DatasetOps.METADATA)
            .kernel(CallingKernels::takeWhile)
            .notDifferentiable(),
        function("FlatMapDataset", "f")
            .attr(DatasetOps.METADATA)
            .kernel(CallingKernels::flatMap)
            .notDifferentiable(),
        function("InterleaveDataset", "f", "cycle_length: int64", "block_length: int64")
            .attr(DatasetOps.METADATA)
            .kernel(InterleaveKernels::serial)
            .notDifferentiable());
  }

  private static List<OpDeclaration> parallel() {
    return List.of(
        function("ParallelMapDataset", "f", "num_parallel_calls: int32")
            .attr("use_inter_op_parallelism: bool = true")
            .attr("sloppy: bool = false")
            .attr("preserve_cardinality: bool = false")
            .attr(DatasetOps.METADATA)
            .kernel(CallingKernels::parallelMap)
            .notDifferentiable(),
        function("ParallelMapDatasetV2", "f", "num_parallel_calls: int64")
            .attr("use_inter_op_parallelism: bool = true")
            .attr("deterministic: string = 'default'")
            .attr("preserve_cardinality: bool = false")
            .attr("use_unbounded_threadpool: bool = false")
            .attr(DatasetOps.METADATA)
            .kernel(CallingKernels::parallelMap)
            .notDifferentiable(),
        function(
                "ParallelFilterDataset",
                List.of("predicate: func", "deterministic: string = 'default'"),
                "num_parallel_calls: int64")
            .attr(DatasetOps.METADATA)
            .kernel(CallingKernels::parallelFilter)
            .notDifferentiable(),
        function(
                "MapAndBatchDataset",
                "f",
                "batch_size: int64",
                "num_parallel_calls: int64",
                "drop_remainder: bool")
            .attr("preserve_cardinality: bool = false")
            .attr(DatasetOps.METADATA)
            .kernel(CallingKernels::mapAndBatch)
            .notDifferentiable());
  }

  private static List<OpDeclaration> interleaves() {
    return List.of(
        function(
                "ParallelInterleaveDatasetV2",
                "f",
                "cycle_length: int64",
                "block_length: int64",
                "num_parallel_calls: int64")
            .attr("sloppy: bool = false")
            .attr(DatasetOps.METADATA)
            .kernel(InterleaveKernels::parallel)
            .notDifferentiable(),
        function(
                "ParallelInterleaveDatasetV3",
                List.of("f: func", "deterministic: string = 'default'"),
                "cycle_length: int64",
                "block_length: int64",
                "num_parallel_calls: int64")
            .attr(DatasetOps.METADATA)
            .kernel(InterleaveKernels::parallel)
            .notDifferentiable(),
        function(
                "ParallelInterleaveDatasetV4",
                List.of("f: func", "deterministic: string = 'default'"),
                "cycle_length: int64",
                "block_length: int64",
                "buffer_output_elements: int64",
                "prefetch_input_elements: int64",
                "num_parallel_calls: int64")
            .attr(DatasetOps.METADATA)
            .kernel(InterleaveKernels::parallel)
            .notDifferentiable(),
        legacyInterleave("ParallelInterleaveDataset")
            .attr(DatasetOps.METADATA)
            .kernel(InterleaveKernels::legacy)
            .notDifferentiable(),
        legacyInterleave("ExperimentalParallelInterleaveDataset")
            .kernel(InterleaveKernels::legacy)
            .notDifferentiable(),
        function(
                "LegacyParallelInterleaveDatasetV2",
                List.of("f: func", "deterministic: string = 'default'"),
                "cycle_length: int64",
                "block_length: int64",
                "buffer_output_elements: int64",
                "prefetch_input_elements: int64")
            .attr(DatasetOps.METADATA)
            .kernel(InterleaveKernels::legacy)
            .notDifferentiable());
  }

  private static Declaration legacyInterleave(String name) {
    return function(
        name,
        "f",
        "cycle_length: int64",
        "block_length: int64",
        "sloppy: bool",
        "buffer_output_elements: int64",
        "prefetch_input_elements: int64");
  }

  private static List<OpDeclaration> withState() {
    return List.of(
        DatasetOps.elements(
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
            .attr(DatasetOps.METADATA)
            .shape(ShapeRules::scalar)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(CallingKernels::scan)
            .notDifferentiable(),
        DatasetOps.elements(
                op("ReduceDataset")
                    .input("input_dataset: variant")
                    .input("initial_state: Tstate")
                    .input("other_arguments: Targuments")
                    .output("components: output_types")
                    .attr("f: func")
                    .attr("Tstate: list(type) >= 1")
                    .attr("Targuments: list(type) >= 0"))
            .attr("use_inter_op_parallelism: bool = true")
            .attr(DatasetOps.METADATA)
            .stateful()
            .shape(IteratorOps::componentShapes)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(CallingKernels::reduce)
            .notDifferentiable(),
        DatasetOps.elements(
                op("DatasetToSingleElement")
                    .input("dataset: variant")
                    .output("components: output_types"))
            .attr(DatasetOps.METADATA)
            .stateful()
            .shape(IteratorOps::componentShapes)
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
    return DatasetOps.elements(declaration.attr("Targuments: list(type) >= 0"))
        .shape(ShapeRules::scalar)
        .flag(OpFlag.CALLS_IN_KERNEL);
  }

  /** Datasets that parse examples, which is faster than a function that does. */
  private static List<OpDeclaration> examples() {
    return List.of(
        ragged(parsing("ParseExampleDataset").attr("sloppy: bool = false")),
        ragged(parsing("ParseExampleDatasetV2").attr("deterministic: string = 'default'")),
        parsing("ExperimentalParseExampleDataset")
            .attr("sloppy: bool = false")
            .shape(ShapeRules::scalar)
            .kernel(ExampleKernels::parse)
            .notDifferentiable());
  }

  private static Declaration parsing(String name) {
    return DatasetOps.elements(
        op(name)
            .input("input_dataset: variant")
            .input("num_parallel_calls: int64")
            .input("dense_defaults: Tdense")
            .output("handle: variant")
            .attr("sparse_keys: list(string) >= 0")
            .attr("dense_keys: list(string) >= 0")
            .attr("sparse_types: list({float, int64, string}) >= 0")
            .attr("Tdense: list({float, int64, string}) >= 0")
            .attr("dense_shapes: list(shape) >= 0"));
  }

  private static OpDeclaration ragged(Declaration declaration) {
    return declaration
        .attr("ragged_keys: list(string) >= 0 = []")
        .attr("ragged_value_types: list({float, int64, string}) >= 0 = []")
        .attr("ragged_split_types: list({int32, int64}) >= 0 = []")
        .shape(ShapeRules::scalar)
        .kernel(ExampleKernels::parse)
        .notDifferentiable();
  }

  /** Names of TensorFlow's earlier releases. */
  private static List<OpDeclaration> aliases() {
    return List.of(
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
        DatasetOps.elements(
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
}
