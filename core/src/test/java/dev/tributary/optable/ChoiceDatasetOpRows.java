package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Datasets whose elements are chosen, put into groups, drawn at random or kept. */
final class ChoiceDatasetOpRows {
  private static final String COUNTED = "2.18 refuses to delete what its handle counts";

  private static final String NO_DEVICE = "its kernel of 2.18 gives an empty name in graph mode";

  private ChoiceDatasetOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String prefix : List.of("", "Experimental")) {
      rows.add(row(prefix + "UniqueDataset", d -> unique(d, prefix)));
      rows.add(row(prefix + "DirectedInterleaveDataset", d -> directed(d, prefix)));
      rows.add(row(prefix + "ChooseFastestDataset", d -> fastest(d, prefix)));
      rows.add(row(prefix + "DatasetCardinality", d -> cardinality(d, prefix)));
      rows.add(row(prefix + "GroupByWindowDataset", d -> group(d, prefix)));
      rows.add(
          row(prefix + "NonSerializableDataset", d -> passed(prefix + "NonSerializableDataset")));
      rows.add(
          row(prefix + "LatencyStatsDataset", d -> passed(prefix + "LatencyStatsDataset", "tag")));
      rows.add(
          row(
              prefix + "BytesProducedStatsDataset",
              d -> passed(prefix + "BytesProducedStatsDataset", "tag")));
    }
    rows.add(row("RandomDataset", d -> random(d, "RandomDataset")));
    rows.add(
        row("ExperimentalRandomDataset", d -> random(d, "ExperimentalRandomDataset"))
            .withoutStock(DatasetOpRows.REBUILT));
    rows.add(row("ShuffleAndRepeatDataset", ChoiceDatasetOpRows::shuffleAndRepeat));
    rows.add(row("ShuffleDatasetV2", ChoiceDatasetOpRows::shuffleV2));
    rows.add(row("ShuffleDatasetV3", ChoiceDatasetOpRows::shuffleV3));
    rows.add(row("RandomDatasetV2", ChoiceDatasetOpRows::randomV2));
    rows.add(row("SamplingDataset", ChoiceDatasetOpRows::sampling));
    rows.add(row("AssertCardinalityDataset", d -> passed("AssertCardinalityDataset", 5L)));
    rows.add(row("RebatchDatasetV2", ChoiceDatasetOpRows::rebatch));
    rows.add(row("CacheDataset", ChoiceDatasetOpRows::cache));
    rows.add(row("CacheDatasetV2", ChoiceDatasetOpRows::cacheV2));
    rows.add(
        row(
            "ExperimentalMaxIntraOpParallelismDataset",
            d -> passed("ExperimentalMaxIntraOpParallelismDataset", 1L)));
    rows.add(
        row(
            "ExperimentalPrivateThreadPoolDataset",
            d -> passed("ExperimentalPrivateThreadPoolDataset", 2L)));
    rows.add(
        row("ExperimentalIgnoreErrorsDataset", d -> passed("ExperimentalIgnoreErrorsDataset")));
    rows.add(row("ExperimentalUnbatchDataset", ChoiceDatasetOpRows::unbatch));
    rows.add(row("AnonymousIterator", d -> anonymous("AnonymousIterator")));
    rows.add(row("AnonymousIteratorV2", d -> anonymous("AnonymousIteratorV2")));
    rows.add(row("AnonymousIteratorV3", d -> anonymous("AnonymousIteratorV3")));
    rows.add(row("DeleteIterator", d -> anonymous("AnonymousIteratorV2")));
    rows.add(row("IteratorGetDevice", ChoiceDatasetOpRows::device).withoutStock(NO_DEVICE));
    rows.add(row("DummyMemoryCache", ChoiceDatasetOpRows::cacheV2));
    rows.add(row("DummySeedGenerator", ChoiceDatasetOpRows::shuffleV2));
    rows.add(row("AnonymousMemoryCache", ChoiceDatasetOpRows::ownCache).withoutStock(COUNTED));
    rows.add(row("DeleteMemoryCache", ChoiceDatasetOpRows::ownCache).withoutStock(COUNTED));
    rows.add(row("AnonymousSeedGenerator", ChoiceDatasetOpRows::ownSeeds).withoutStock(COUNTED));
    rows.add(row("DeleteSeedGenerator", ChoiceDatasetOpRows::ownSeeds).withoutStock(COUNTED));
    return rows;
  }

  private static OpRow row(String op, Function<Draw, Script> script) {
    return OpRow.of(op).types(INT64).script(script);
  }

  private static Script unique(Draw d, String prefix) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long[] values = new long[12];
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      values[i] = d.integer(0, 6);
      if (!found.contains(values[i])) {
        found.add(values[i]);
      }
    }
    return nodes.script(
        nodes.of(prefix + "UniqueDataset", nodes.slices(Tensor.of(values))), found.size());
  }

  private static Script random(Draw d, String op) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    return nodes.script(
        nodes.of("TakeDataset", nodes.of(op, scalar(nodes, d.integer(1, 99)), 7L), 9L), 9);
  }

  private static Output scalar(DatasetNodes nodes, long value) {
    return nodes.tf.constant(value);
  }

  private static Script randomV2(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output random =
        nodes
            .builder("RandomDatasetV2", scalar(nodes, 5), 7L, seeds(nodes))
            .attr("rerandomize_each_iteration", false)
            .buildOutput();
    return nodes.script(nodes.of("RepeatDataset", nodes.of("TakeDataset", random, 5L), 2L), 10);
  }

  private static Script sampling(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output sampled =
        nodes
            .elements(
                nodes
                    .tf
                    .scope()
                    .operation("SamplingDataset")
                    .input(nodes.range(0, 1000, 1))
                    .input(nodes.tf.constant(0.3f))
                    .input(scalar(nodes, d.integer(1, 9)))
                    .input(scalar(nodes, 4)))
            .buildOutput();
    Output iterator = nodes.iterator();
    Script script = Script.on(nodes.tf).run(nodes.make(sampled, iterator));
    Output[] next = nodes.next("IteratorGetNext", iterator);
    for (int i = 0; i < 30; i++) {
      script.fetch(next);
    }
    return script;
  }

  private static Script directed(Draw d, String prefix) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output selector = nodes.slices(Tensor.of(0L, 1L, 0L, 1L, 1L, 0L, 0L, 1L));
    OperationBuilder builder =
        nodes
            .tf
            .scope()
            .operation(prefix + "DirectedInterleaveDataset")
            .input(selector)
            .inputList(List.of(nodes.range(0, 2, 1), nodes.range(10, 30, 1)));
    boolean endsWithFirst = prefix.isEmpty() && d.flip();
    if (prefix.isEmpty()) {
      builder.attr("stop_on_empty_dataset", endsWithFirst);
    }
    return nodes.script(nodes.elements(builder).buildOutput(), endsWithFirst ? 5 : 6);
  }

  private static Script fastest(Draw d, String prefix) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output fastest =
        nodes
            .elements(
                nodes
                    .tf
                    .scope()
                    .operation(prefix + "ChooseFastestDataset")
                    .inputList(List.of(nodes.range(0, 4, 1), nodes.range(0, 4, 1)))
                    .attr("num_experiments", 2L))
            .buildOutput();
    return nodes.script(fastest, 4);
  }

  private static Script cardinality(Draw d, String prefix) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output range = nodes.range(0, d.integer(0, 20), d.integer(1, 4));
    Output filtered =
        nodes.calling(
            "FilterDataset", "predicate", range, (f, x) -> List.of(f.less(x.get(0), x.get(0))));
    Script script = Script.on(nodes.tf);
    for (Output dataset :
        List.of(
            range,
            filtered,
            nodes.of("RepeatDataset", range, 3L),
            nodes.of("RepeatDataset", nodes.range(0, 2, 1), -1L),
            nodes.of("TakeDataset", range, 2L),
            nodes.of("SkipDataset", range, 2L),
            nodes.of("ShardDataset", range, 3L, 1L),
            nodes.of("BatchDatasetV2", range, 2L, d.flip()),
            nodes.of("ShuffleDataset", range, 2L, 1L, 2L),
            nodes.of("PrefetchDataset", range, 2L),
            nodes.of("CacheDataset", range, ""),
            nodes.of("ConcatenateDataset", range, nodes.range(0, 3, 1)),
            nodes.of("TakeDataset", nodes.of("RandomDataset", scalar(nodes, 1), 2L), 3L))) {
      script.fetch(
          nodes.tf.scope().operation(prefix + "DatasetCardinality").input(dataset).buildOutput());
    }
    return script;
  }

  /** Groups by the rest of a division, of a size that depends on the rest, as batches. */
  private static Script group(Draw d, String prefix) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long keys = d.integer(1, 4);
    int batches = 0;
    for (long k = 0; k < keys; k++) {
      long members = (20 - k + keys - 1) / keys;
      for (; members > 0; members -= k + 2) {
        batches += (int) ((Math.min(members, k + 2) + 1) / 2);
      }
    }
    return nodes.script(grouped(nodes, prefix, keys), batches);
  }

  static Output grouped(DatasetNodes nodes, String prefix, long keys) {
    TracedFunction key =
        nodes.trace(List.of(INT64), (f, x) -> List.of(f.math.floorMod(x.get(0), f.constant(keys))));
    TracedFunction reduce =
        nodes.trace(List.of(INT64, DataType.VARIANT), (f, x) -> List.of(batch(f, x.get(1))));
    TracedFunction size =
        nodes.trace(List.of(INT64), (f, x) -> List.of(f.add(x.get(0), f.constant(2L))));
    return nodes
        .elements(
            nodes
                .tf
                .scope()
                .operation(prefix + "GroupByWindowDataset")
                .input(nodes.range(0, 20, 1))
                .inputList(key.captures())
                .inputList(reduce.captures())
                .inputList(size.captures())
                .attr("key_func", new AttrValue.Function(key.name(), Map.of()))
                .attr("reduce_func", new AttrValue.Function(reduce.name(), Map.of()))
                .attr("window_size_func", new AttrValue.Function(size.name(), Map.of())))
        .buildOutput();
  }

  private static Output batch(Ops f, Output dataset) {
    return f.scope()
        .operation("BatchDatasetV2")
        .input(dataset)
        .input(f.constant(2L))
        .input(f.constant(false))
        .attr("output_types", AttrValue.ofTypes(List.of(INT64)))
        .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.unknown())))
        .buildOutput();
  }

  private static Script shuffleAndRepeat(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    int elements = d.oneOf(1, 2, 7);
    Output shuffled =
        nodes
            .builder(
                "ShuffleAndRepeatDataset",
                nodes.range(0, elements, 1),
                (long) d.oneOf(1, 3, 10, 40),
                (long) d.integer(1, 50),
                2L,
                5L)
            .attr("reshuffle_each_iteration", d.flip())
            .buildOutput();
    return nodes.script(shuffled, 5 * elements);
  }

  /** Of one element, since the order is drawn. */
  private static Script shuffleV2(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output shuffled = nodes.of("ShuffleDatasetV2", nodes.range(3, 4, 1), 5L, seeds(nodes));
    return nodes.script(nodes.of("RepeatDataset", shuffled, 2L), 2);
  }

  private static Script shuffleV3(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output shuffled =
        nodes
            .builder(
                "ShuffleDatasetV3",
                nodes.range(0, 9, 1),
                (long) d.integer(1, 12),
                (long) d.integer(1, 50),
                3L,
                seeds(nodes))
            .attr("reshuffle_each_iteration", d.flip())
            .buildOutput();
    return nodes.script(nodes.of("RepeatDataset", shuffled, 2L), 18);
  }

  private static Output seeds(DatasetNodes nodes) {
    return nodes.tf.scope().operation("DummySeedGenerator").buildOutput();
  }

  private static Script rebatch(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long size = d.integer(1, 6);
    boolean drop = d.flip();
    Output batches = nodes.of("BatchDatasetV2", nodes.range(0, 17, 1), 4L, false);
    Output sizes = nodes.constant(Tensor.of(size, 2L));
    int count = 0;
    for (long left = 17; left > 0; count++) {
      long wanted = count % 2 == 0 ? size : 2;
      if (left < wanted && drop) {
        break;
      }
      left -= wanted;
    }
    return nodes.script(nodes.of("RebatchDatasetV2", batches, sizes, drop), count);
  }

  /** Numbers at random, which are the same in the second epoch. */
  private static Script cache(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    return nodes.script(
        nodes.of("RepeatDataset", nodes.of("CacheDataset", shuffled(nodes, d), ""), 3L), 18);
  }

  private static Script cacheV2(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output cache = nodes.tf.scope().operation("DummyMemoryCache").buildOutput();
    return nodes.script(
        nodes.of("RepeatDataset", nodes.of("CacheDatasetV2", shuffled(nodes, d), "", cache), 3L),
        18);
  }

  private static Output shuffled(DatasetNodes nodes, Draw d) {
    return nodes.of("ShuffleDataset", nodes.range(0, 6, 1), 6L, (long) d.integer(1, 50), 2L);
  }

  private static Script ownCache(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Operation cache = nodes.tf.scope().operation("AnonymousMemoryCache").build();
    Operation delete =
        nodes
            .tf
            .scope()
            .operation("DeleteMemoryCache")
            .input(cache.output(0))
            .input(cache.output(1))
            .build();
    return Script.on(nodes.tf).run(delete);
  }

  private static Script ownSeeds(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Operation seeds =
        nodes
            .tf
            .scope()
            .operation("AnonymousSeedGenerator")
            .input(nodes.tf.constant(1L))
            .input(nodes.tf.constant(2L))
            .input(nodes.tf.constant(true))
            .build();
    Operation delete =
        nodes
            .tf
            .scope()
            .operation("DeleteSeedGenerator")
            .input(seeds.output(0))
            .input(seeds.output(1))
            .build();
    return Script.on(nodes.tf).run(delete);
  }

  private static Script unbatch(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output batches = nodes.of("BatchDatasetV2", nodes.range(0, 7, 1), 3L, false);
    return nodes.script(nodes.of("ExperimentalUnbatchDataset", batches), 7);
  }

  private static Script passed(String op, Object... arguments) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    return nodes.script(nodes.of(op, nodes.range(0, 5, 1), arguments), 5);
  }

  /** An iterator that one step makes, asks and deletes. */
  private static Script anonymous(String op) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Operation iterator = nodes.elements(nodes.tf.scope().operation(op)).build();
    Operation begin = nodes.make(nodes.range(5, 9, 1), iterator.output(0));
    Output next =
        nodes
            .elements(
                nodes
                    .tf
                    .scope()
                    .operation("IteratorGetNext")
                    .input(iterator.output(0))
                    .controlInput(begin))
            .buildOutput();
    Script script = Script.on(nodes.tf).expect(next, Tensor.scalar(5L));
    if (!op.endsWith("V2")) {
      return script;
    }
    Operation delete =
        nodes
            .tf
            .scope()
            .operation("DeleteIterator")
            .input(iterator.output(0))
            .input(iterator.output(1))
            .controlInput(next.operation())
            .build();
    return script.run(delete);
  }

  private static Script device(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output device =
        nodes.tf.scope().operation("IteratorGetDevice").input(nodes.iterator()).buildOutput();
    Output ofAnyTask =
        nodes.tf.strings.regexReplace(device, "^/job:[a-z]+/replica:0/task:[0-9]+", "/task");
    return Script.on(nodes.tf).expect(ofAnyTask, Tensor.scalar("/task/device:CPU:0"));
  }
}
