package dev.tributary.train.data;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.record.Compression;
import java.util.List;

/** Stages that keep elements, in memory or in files. */
final class Stored {
  private Stored() {}

  /**
   * @param prefix of the names of files; without it elements stay in memory
   */
  static <E> Dataset.Stage<E, E> cache(String prefix) {
    return (building, input) ->
        building.finish(
            building.op("CacheDataset", input.variant(), building.tf().constant(prefix)),
            input.spec());
  }

  /** Keeps the elements of the first complete pass in a folder, where later ones find them. */
  static <E> Dataset.Stage<E, E> snapshot(String folder, Compression compression) {
    return (building, input) ->
        building.finish(
            saving(building, "SnapshotDatasetV2", input, folder, compression)
                .attr("reader_func", readers(building, input.spec()).attribute()),
            input.spec());
  }

  /** Adds an operation that saves all elements in one step. */
  static <E> Operation save(
      Building building, Dataset<E> dataset, String folder, Compression compression) {
    return saving(building, "SaveDataset", dataset.build(building), folder, compression)
        .attr("use_shard_func", false)
        .build();
  }

  /** Starts an op with one shard of elements and no values from outside in its functions. */
  private static <E> OperationBuilder saving(
      Building building, String op, Built<E> input, String folder, Compression compression) {
    Building.Traced<Output> shard =
        building.trace(
            "shard", input.spec(), (inside, element) -> Flattened.of(inside, inside.scalar(0)));
    OperationBuilder builder =
        building
            .op(op, input.variant(), building.tf().constant(folder))
            .inputList(List.of())
            .attr("compression", compression.attributeValue())
            .attr("shard_func", shard.attribute());
    return op.startsWith("Snapshot") ? builder.inputList(List.of()) : builder;
  }

  static <E> Dataset.Source<E> load(String folder, ElementSpec<E> spec, Compression compression) {
    return building ->
        building.finish(
            building
                .op("LoadDataset", building.tf().constant(folder))
                .inputList(List.of())
                .attr("compression", compression.attributeValue())
                .attr("reader_func", readers(building, spec).attribute()),
            spec);
  }

  /** The elements of each shard, one shard after the other. */
  private static <E> Building.Traced<E> readers(Building building, ElementSpec<E> spec) {
    return building.trace(
        "readers",
        ElementSpec.dataset(ElementSpec.dataset(spec)),
        (inside, shards) -> {
          Built<E> all = shards.flatMap((tf, shard) -> shard).build(inside);
          return new Flattened<>(all.spec(), List.of(all.variant()));
        });
  }
}
