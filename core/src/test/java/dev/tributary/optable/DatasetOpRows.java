package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Datasets: all elements of a small pipeline that has the op in it, and its end. */
final class DatasetOpRows {
  private static final DataType[] ALL = {FLOAT, DOUBLE, INT32, INT64, BOOL};

  /** Why stock cannot run the first versions of some ops. */
  static final String REBUILT =
      "MakeIterator of 2.18 builds the op again and gives it an input of its second version";

  private static final String TIMES = "it gives times, and stages as it has optimised them";

  private static final String OWN_STATE = "the state has a form of our own";

  private DatasetOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.add(row("TensorDataset", DatasetOpRows::whole));
    rows.add(row("TensorSliceDataset", DatasetOpRows::slices));
    rows.add(row("RangeDataset", DatasetOpRows::range));
    rows.add(row("RepeatDataset", DatasetOpRows::repeat));
    rows.add(row("TakeDataset", d -> ofCount(d, "TakeDataset", d.oneOf(-1, 0, 2, 5, 9))));
    rows.add(row("SkipDataset", d -> ofCount(d, "SkipDataset", d.oneOf(-1, 0, 2, 5, 9))));
    rows.add(row("ShardDataset", DatasetOpRows::shard));
    rows.add(row("BatchDataset", d -> batch(d, "BatchDataset")).withoutStock(REBUILT));
    rows.add(row("BatchDatasetV2", d -> batch(d, "BatchDatasetV2")));
    rows.add(row("ShuffleDataset", DatasetOpRows::shuffle));
    rows.add(row("PrefetchDataset", DatasetOpRows::prefetch));
    rows.add(row("ZipDataset", DatasetOpRows::zip));
    rows.add(row("ConcatenateDataset", DatasetOpRows::concatenate));
    rows.add(row("MapDataset", DatasetOpRows::map));
    rows.add(row("FilterDataset", DatasetOpRows::filter));
    rows.addAll(CallingDatasetOpRows.rows());
    rows.addAll(BatchingDatasetOpRows.rows());
    rows.addAll(ChoiceDatasetOpRows.rows());
    rows.addAll(FileDatasetOpRows.rows());
    rows.addAll(ExampleDatasetOpRows.rows());
    rows.addAll(StoredDatasetOpRows.rows());
    rows.addAll(RegroupedDatasetOpRows.rows());
    rows.add(row("FinalizeDataset", d -> passed(d, "FinalizeDataset")));
    rows.add(
        row("MaxIntraOpParallelismDataset", d -> passed(d, "MaxIntraOpParallelismDataset", 1L)));
    rows.add(row("PrivateThreadPoolDataset", d -> passed(d, "PrivateThreadPoolDataset", 2L)));
    rows.add(row("Iterator", DatasetOpRows::version1));
    rows.add(row("IteratorToStringHandle", d -> fed(d, "IteratorFromStringHandleV2")));
    rows.add(row("IteratorFromStringHandle", d -> fed(d, "IteratorFromStringHandle")));
    rows.add(row("IteratorFromStringHandleV2", d -> fed(d, "IteratorFromStringHandleV2")));
    rows.add(row("OptionsDataset", DatasetOpRows::options));
    rows.add(row("OptimizeDataset", DatasetOpRows::optimize));
    rows.add(row("ModelDataset", d -> passed(d, "ModelDataset")));
    rows.add(row("IteratorV2", DatasetOpRows::reinitialised));
    rows.add(row("MakeIterator", DatasetOpRows::reinitialised));
    rows.add(row("IteratorGetNext", DatasetOpRows::slices));
    rows.add(row("IteratorGetNextAsOptional", DatasetOpRows::slices));
    rows.add(row("IteratorGetNextSync", DatasetOpRows::nextSync));
    rows.add(row("OneShotIterator", DatasetOpRows::oneShot));
    rows.add(row("SerializeIterator", DatasetOpRows::saved).withoutStock(OWN_STATE));
    rows.add(row("DeserializeIterator", DatasetOpRows::saved).withoutStock(OWN_STATE));
    rows.add(row("IteratorGetModelProto", DatasetOpRows::report).withoutStock(TIMES));
    return rows;
  }

  /** Two iterators; that of the handle in the middle of the graph gives the element. */
  private static Script fed(Draw d, String op) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output first = nodes.iterator();
    Operation initializer = nodes.make(nodes.slices(d.tensor(Shape.of(3, 2))), first);
    Output handle = nodes.tf.scope().operation("IteratorToStringHandle").input(first).buildOutput();
    Output same = nodes.elements(nodes.tf.scope().operation(op).input(handle)).buildOutput();
    Output[] next = nodes.next("IteratorGetNext", same);
    return Script.on(nodes.tf).run(initializer).fetch(next).fetch(next).fetch(next);
  }

  private static Script version1(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output iterator =
        nodes
            .elements(
                nodes
                    .tf
                    .scope()
                    .operation("Iterator")
                    .attr("shared_name", "")
                    .attr("container", ""))
            .buildOutput();
    Operation initializer = nodes.make(nodes.slices(d.tensor(Shape.of(2, 2))), iterator);
    Output[] next = nodes.next("IteratorGetNext", iterator);
    return Script.on(nodes.tf).run(initializer).fetch(next).fetch(next);
  }

  static OpRow row(String op, Function<Draw, Script> script) {
    return OpRow.of(op).types(ALL).script(script);
  }

  private static Script whole(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type(), STRING);
    Tensor value = d.tensor(d.shape(0, 3));
    return nodes.script(nodes.ofTensors("TensorDataset", value, Tensor.of("a", "b")), 1);
  }

  private static Script slices(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type(), STRING);
    return nodes.script(nodes.slices(d.tensor(Shape.of(3, 2, 2)), Tensor.of("a", "", "c")), 3);
  }

  private static Script range(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long step = d.oneOf(1, 3, -2);
    int count = d.integer(0, 4);
    return nodes.script(nodes.range(5, 5 + count * step, step), count);
  }

  private static Script repeat(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    long count = d.oneOf(0L, 1L, 3L);
    Output repeated = nodes.of("RepeatDataset", nodes.slices(d.tensor(Shape.of(2, 3))), count);
    Output endless = nodes.of("RepeatDataset", nodes.slices(d.tensor(Shape.of(0, 3))), -1L);
    return nodes.script(nodes.of("ConcatenateDataset", repeated, endless), 2 * (int) count);
  }

  private static Script ofCount(Draw d, String op, int count) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    int taken = count < 0 ? 5 : Math.min(count, 5);
    int left = count < 0 ? 0 : 5 - taken;
    Output dataset = nodes.of(op, nodes.slices(d.tensor(Shape.of(5, 2))), (long) count);
    return nodes.script(dataset, op.equals("TakeDataset") ? taken : left);
  }

  private static Script shard(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    int shards = d.integer(1, 4);
    int index = d.integer(0, shards - 1);
    Output dataset =
        nodes.of("ShardDataset", nodes.slices(d.tensor(Shape.of(7))), (long) shards, (long) index);
    return nodes.script(dataset, (7 - index + shards - 1) / shards);
  }

  private static Script batch(Draw d, String op) {
    DatasetNodes nodes = new DatasetNodes(d.type(), STRING);
    long size = d.integer(1, 6);
    boolean drop = op.equals("BatchDatasetV2") && d.flip();
    Output input = nodes.slices(d.tensor(Shape.of(5, 2)), Tensor.of("a", "b", "c", "d", "e"));
    Output dataset =
        op.equals("BatchDatasetV2") ? nodes.of(op, input, size, drop) : nodes.of(op, input, size);
    return nodes.script(dataset, (int) (drop ? 5 / size : (5 + size - 1) / size));
  }

  /** The same order as TensorFlow's for the same seeds, also in later passes. */
  private static Script shuffle(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output shuffled =
        nodes
            .builder(
                "ShuffleDataset",
                nodes.range(0, 10, 1),
                (long) d.oneOf(1, 3, 5, 10, 20),
                (long) d.oneOf(1, 87654321),
                (long) d.integer(1, 50))
            .attr("reshuffle_each_iteration", d.flip())
            .buildOutput();
    return nodes.script(nodes.of("RepeatDataset", shuffled, 2L), 20);
  }

  private static Script prefetch(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    long size = d.oneOf(-1L, 0L, 1L, 3L, 20L);
    return nodes.script(
        nodes.of("PrefetchDataset", nodes.slices(d.tensor(Shape.of(6, 2))), size), 6);
  }

  private static Script zip(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type(), STRING);
    int rows = d.integer(0, 4);
    Output values = nodes.slices(d.tensor(Shape.of(rows, 2)));
    Output names = nodes.slices(Tensor.of("a", "b"));
    Output zipped =
        nodes
            .tf
            .scope()
            .operation("ZipDataset")
            .inputList(List.of(values, names))
            .attr("output_types", AttrValue.ofTypes(List.of(d.type(), STRING)))
            .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.unknown(), Shape.unknown())))
            .buildOutput();
    return nodes.script(zipped, Math.min(rows, 2));
  }

  private static Script concatenate(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output first = nodes.slices(d.tensor(Shape.of(2, 3)));
    Output second = nodes.slices(d.tensor(Shape.of(3, 2, 2)));
    return nodes.script(nodes.of("ConcatenateDataset", first, second), 5);
  }

  private static Script map(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64, INT64);
    Output outside = nodes.tf.constant((long) d.integer(-9, 9));
    Output mapped =
        nodes.calling(
            "MapDataset",
            "f",
            List.of(INT64),
            nodes.range(0, 4, 1),
            (f, x) -> List.of(f.mul(x.get(0), outside), x.get(0)));
    return nodes.script(mapped, 4);
  }

  private static Script filter(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long limit = d.integer(0, 7);
    Output filtered =
        nodes.calling(
            "FilterDataset",
            "predicate",
            nodes.range(0, 6, 1),
            (f, x) -> List.of(f.less(x.get(0), f.constant(limit))));
    return nodes.script(filtered, (int) Math.min(limit, 6));
  }

  private static Script options(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output dataset =
        nodes
            .builder("OptionsDataset", nodes.slices(d.tensor(Shape.of(3))))
            .attr("serialized_options", "")
            .buildOutput();
    return nodes.script(dataset, 3);
  }

  private static Script optimize(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output none = nodes.tf.constant(Tensor.of(new String[0]));
    return nodes.script(nodes.of("OptimizeDataset", nodes.slices(d.tensor(Shape.of(3))), none), 3);
  }

  private static Script passed(Draw d, String op, Object... arguments) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    return nodes.script(nodes.of(op, nodes.slices(d.tensor(Shape.of(3))), arguments), 3);
  }

  /** One iterator for two datasets; each initializer begins with its own. */
  private static Script reinitialised(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output iterator = nodes.iterator();
    Operation first = nodes.make(nodes.slices(d.tensor(Shape.of(3))), iterator);
    Operation second = nodes.make(nodes.slices(d.tensor(Shape.of(1, 2))), iterator);
    Output[] next = nodes.next("IteratorGetNext", iterator);
    Output hasNext = nodes.hasNext(iterator);
    return Script.on(nodes.tf)
        .run(first)
        .fetch(next)
        .run(second)
        .fetch(next)
        .expect(hasNext, Tensor.scalar(false))
        .run(first)
        .fetch(next);
  }

  /** Restored from its own state within one step; IteratorStateTest cuts pipelines everywhere. */
  private static Script saved(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output iterator = nodes.iterator();
    Operation initializer = nodes.make(nodes.range(5, 9, 1), iterator);
    Output next = nodes.next("IteratorGetNext", iterator)[0];
    Output state = nodes.tf.scope().operation("SerializeIterator").input(iterator).buildOutput();
    Operation restore =
        nodes.tf.scope().operation("DeserializeIterator").input(iterator).input(state).build();
    return Script.on(nodes.tf)
        .run(initializer)
        .expect(next, Tensor.scalar(5L))
        .run(restore)
        .expect(next, Tensor.scalar(6L));
  }

  private static Script report(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output iterator = nodes.iterator();
    Operation first = nodes.make(nodes.slices(d.tensor(Shape.of(2))), iterator);
    Output report =
        nodes.tf.scope().operation("IteratorGetModelProto").input(iterator).buildOutput();
    return Script.on(nodes.tf).run(first).fetch(report);
  }

  private static Script nextSync(Draw d) {
    DatasetNodes nodes = new DatasetNodes(d.type());
    Output iterator = nodes.iterator();
    Operation first = nodes.make(nodes.slices(d.tensor(Shape.of(2))), iterator);
    Output[] next = nodes.next("IteratorGetNextSync", iterator);
    return Script.on(nodes.tf).run(first).fetch(next).fetch(next);
  }

  private static Script oneShot(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    long stop = d.integer(1, 4);
    TracedFunction factory =
        nodes
            .tf
            .function(
                "factory",
                (f, none) ->
                    List.of(
                        f.scope()
                            .operation("RangeDataset")
                            .input(f.constant(0L))
                            .input(f.constant(stop))
                            .input(f.constant(1L))
                            .attr("output_types", AttrValue.ofTypes(List.of(INT64)))
                            .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.scalar())))
                            .buildOutput()))
            .traced(List.of());
    Output iterator = nodes.oneShot(factory.name());
    Output[] next = nodes.next("IteratorGetNext", iterator);
    Output hasNext = nodes.hasNext(iterator);
    Script script = Script.on(nodes.tf);
    for (long i = 0; i < stop; i++) {
      script.expect(next[0], Tensor.scalar(i));
    }
    return script.expect(hasNext, Tensor.scalar(false));
  }
}
