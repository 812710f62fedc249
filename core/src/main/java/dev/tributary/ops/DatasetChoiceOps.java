package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.data.CacheKernels;
import dev.tributary.internal.kernel.data.ChoiceKernels;
import dev.tributary.internal.kernel.data.DatasetKernels;
import dev.tributary.internal.kernel.data.RandomKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import java.util.ArrayList;
import java.util.List;

/** Datasets whose elements are chosen, put into groups, drawn at random or kept. */
final class DatasetChoiceOps {
  private DatasetChoiceOps() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(random());
    all.addAll(choices());
    all.addAll(groups());
    all.addAll(kept());
    all.addAll(shares());
    return all;
  }

  private static List<OpDeclaration> random() {
    return List.of(
        DatasetOps.elements(
                DatasetOps.of("ShuffleDataset", "buffer_size: int64", "seed: int64", "seed2: int64")
                    .attr("reshuffle_each_iteration: bool = true"))
            .attr(DatasetOps.METADATA)
            .shape(ShapeRules::scalar)
            .kernel(RandomKernels::shuffle)
            .notDifferentiable(),
        DatasetOps.elements(
                DatasetOps.of("ShuffleDatasetV2", "buffer_size: int64", "seed_generator: resource"))
            .attr(DatasetOps.METADATA)
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(RandomKernels::unseededShuffle)
            .notDifferentiable(),
        DatasetOps.elements(
                DatasetOps.of(
                        "ShuffleDatasetV3",
                        "buffer_size: int64",
                        "seed: int64",
                        "seed2: int64",
                        "seed_generator: resource")
                    .attr("reshuffle_each_iteration: bool = true"))
            .attr(DatasetOps.METADATA)
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(RandomKernels::shuffle)
            .notDifferentiable(),
        DatasetOps.elements(
                DatasetOps.of(
                    "ShuffleAndRepeatDataset",
                    "buffer_size: int64",
                    "seed: int64",
                    "seed2: int64",
                    "count: int64"))
            .attr("reshuffle_each_iteration: bool = true")
            .attr(DatasetOps.METADATA)
            .shape(ShapeRules::scalar)
            .kernel(RandomKernels::shuffleAndRepeat)
            .notDifferentiable(),
        DatasetOps.elements(
                DatasetOps.of(
                        "ShuffleAndRepeatDatasetV2",
                        "buffer_size: int64",
                        "seed: int64",
                        "seed2: int64",
                        "count: int64",
                        "seed_generator: resource")
                    .attr("reshuffle_each_iteration: bool = true"))
            .attr(DatasetOps.METADATA)
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(RandomKernels::shuffleAndRepeat)
            .notDifferentiable(),
        seeded("RandomDataset")
            .attr(DatasetOps.METADATA)
            .kernel(RandomKernels::random)
            .notDifferentiable(),
        seeded("ExperimentalRandomDataset").kernel(RandomKernels::random).notDifferentiable(),
        DatasetOps.elements(
                op("RandomDatasetV2")
                    .input("seed: int64")
                    .input("seed2: int64")
                    .input("seed_generator: resource")
                    .output("handle: variant")
                    .attr("rerandomize_each_iteration: bool = false"))
            .attr(DatasetOps.METADATA)
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(RandomKernels::randomV2)
            .notDifferentiable(),
        DatasetOps.elements(
                DatasetOps.of("SamplingDataset", "rate: float", "seed: int64", "seed2: int64"))
            .shape(ShapeRules::scalar)
            .kernel(RandomKernels::sampling)
            .notDifferentiable());
  }

  private static Declaration seeded(String name) {
    return DatasetOps.elements(
            op(name).input("seed: int64").input("seed2: int64").output("handle: variant"))
        .stateful()
        .shape(ShapeRules::scalar);
  }

  private static List<OpDeclaration> choices() {
    return List.of(
        DatasetOps.transformation("UniqueDataset", ChoiceKernels::unique),
        plain("ExperimentalUniqueDataset", ChoiceKernels::unique),
        DatasetOps.elements(directed("DirectedInterleaveDataset"))
            .attr("N: int >= 1")
            .attr("stop_on_empty_dataset: bool = false")
            .shape(ShapeRules::scalar)
            .kernel(ChoiceKernels::directedInterleave)
            .notDifferentiable(),
        DatasetOps.elements(directed("ExperimentalDirectedInterleaveDataset"))
            .attr("N: int >= 1")
            .shape(ShapeRules::scalar)
            .kernel(ChoiceKernels::directedInterleave)
            .notDifferentiable(),
        fastest("ChooseFastestDataset"),
        fastest("ExperimentalChooseFastestDataset"),
        plain("AssertCardinalityDataset", ChoiceKernels::assertCardinality, "cardinality: int64"),
        op("DatasetCardinality")
            .input("input_dataset: variant")
            .output("cardinality: int64")
            .attr("cardinality_options: string = ''")
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::cardinality)
            .notDifferentiable(),
        op("ExperimentalDatasetCardinality")
            .input("input_dataset: variant")
            .output("cardinality: int64")
            .shape(ShapeRules::scalar)
            .kernel(DatasetKernels::cardinality)
            .notDifferentiable());
  }

  private static Declaration directed(String name) {
    return op(name)
        .input("selector_input_dataset: variant")
        .input("data_input_datasets: N * variant")
        .output("handle: variant");
  }

  private static OpDeclaration fastest(String name) {
    return DatasetOps.elements(
            op(name)
                .input("input_datasets: N * variant")
                .output("handle: variant")
                .attr("N: int >= 2")
                .attr("num_experiments: int"))
        .shape(ShapeRules::scalar)
        .kernel(ChoiceKernels::first)
        .notDifferentiable();
  }

  private static List<OpDeclaration> groups() {
    return List.of(
        grouped("GroupByWindowDataset")
            .attr(DatasetOps.METADATA)
            .kernel(ChoiceKernels::groupByWindow)
            .notDifferentiable(),
        grouped("ExperimentalGroupByWindowDataset")
            .kernel(ChoiceKernels::groupByWindow)
            .notDifferentiable(),
        plain(
            "RebatchDatasetV2",
            ChoiceKernels::rebatch,
            "batch_sizes: int64",
            "drop_remainder: bool"));
  }

  private static Declaration grouped(String name) {
    Declaration declaration = op(name).input("input_dataset: variant");
    List<String> functions = List.of("key_func", "reduce_func", "window_size_func");
    for (String function : functions) {
      declaration =
          declaration.input(function + "_other_arguments: T" + function + "_other_arguments");
    }
    declaration = declaration.output("handle: variant");
    for (String function : functions) {
      declaration = declaration.attr(function + ": func");
    }
    for (String function : functions) {
      declaration = declaration.attr("T" + function + "_other_arguments: list(type) >= 0");
    }
    return DatasetOps.elements(declaration).shape(ShapeRules::scalar).flag(OpFlag.CALLS_IN_KERNEL);
  }

  private static List<OpDeclaration> kept() {
    return List.of(
        DatasetOps.transformation("CacheDataset", CacheKernels::cache, "filename: string"),
        DatasetOps.elements(DatasetOps.of("CacheDatasetV2", "filename: string", "cache: resource"))
            .attr(DatasetOps.METADATA)
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(CacheKernels::cache)
            .notDifferentiable());
  }

  /** The shares of workers. */
  private static List<OpDeclaration> shares() {
    return List.of(
        share("AutoShardDataset").attr("num_replicas: int = 0").notDifferentiable(),
        share("ExperimentalAutoShardDataset").notDifferentiable());
  }

  private static Declaration share(String name) {
    return DatasetOps.elements(
            DatasetOps.of(name, "num_workers: int64", "index: int64")
                .attr("auto_shard_policy: int = 0"))
        .shape(ShapeRules::scalar)
        .kernel(DatasetKernels::autoShard);
  }

  /** A transformation that has no attribute for metadata. */
  static OpDeclaration plain(String name, KernelFactory kernel, String... arguments) {
    return DatasetOps.elements(DatasetOps.of(name, arguments))
        .shape(ShapeRules::scalar)
        .kernel(kernel)
        .notDifferentiable();
  }
}
