package dev.tributary.interop;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Accumulator;
import dev.tributary.ops.AccumulatorOptions;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.SummaryWriter;
import dev.tributary.ops.TextFileColumns;
import dev.tributary.session.Session;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.Sessions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What queues, accumulators and tables refuse, stock TensorFlow refuses with the same code. */
@RequiresStockTensorFlow
class ResourceErrorsTest {
  /** Steps that run one after the other, of which only the last one fails. */
  private record Case(String name, Function<Ops, List<Operation>> steps) {}

  @TestFactory
  Stream<DynamicTest> refusal_ofEachCase_hasStocksCode() {
    return Stream.of(queues(), accumulators(), tables(), writers())
        .flatMap(List::stream)
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> check(each)));
  }

  private static List<Case> queues() {
    return List.of(
        new Case(
            "enqueue into a closed queue",
            tf -> {
              Queue queue = numbers(tf, 5);
              return List.of(queue.close(), queue.enqueue(tf.constant(1)));
            }),
        new Case(
            "close twice",
            tf -> {
              Queue queue = numbers(tf, 5);
              return List.of(queue.close(true), queue.close());
            }),
        new Case(
            "dequeue from a closed and empty queue",
            tf -> {
              Queue queue = numbers(tf, 5);
              return List.of(queue.close(), made(queue.dequeue()));
            }),
        new Case(
            "dequeue more than a closed queue has",
            tf -> {
              Queue queue = numbers(tf, 5);
              return List.of(
                  queue.enqueue(tf.constant(1)), queue.close(), made(queue.dequeueMany(2)));
            }),
        new Case(
            "batch without shapes",
            tf -> List.of(made(tf.queues.fifoQueue(QueueOptions.of(5, INT32)).dequeueMany(1)))),
        new Case("other type", tf -> List.of(numbers(tf, 5).enqueue(tf.constant(1f)))),
        new Case("other shape", tf -> List.of(numbers(tf, 5).enqueue(tf.constant(1, 2)))),
        new Case(
            "other sizes of a batch",
            tf ->
                List.of(
                    tf.queues
                        .fifoQueue(QueueOptions.of(5, INT32, INT32))
                        .enqueueMany(tf.constant(1, 2), tf.constant(1, 2, 3)))),
        new Case(
            "shared with another capacity",
            tf ->
                List.of(
                    numbers(tf, 5, "q").size().operation(),
                    numbers(tf, 6, "q").size().operation())),
        new Case(
            "padding of unknown rank",
            tf ->
                List.of(
                    tf.queues
                        .paddingFifoQueue(QueueOptions.of(5, INT32).withShapes(Shape.unknown()))
                        .size()
                        .operation())),
        new Case(
            "mixing at capacity",
            tf ->
                List.of(
                    tf.queues
                        .randomShuffleQueue(QueueOptions.of(5, INT32), 5)
                        .size()
                        .operation())));
  }

  private static List<Case> accumulators() {
    return List.of(
        new Case(
            "no gradient required", tf -> List.of(accumulator(tf).takeGradient(0).operation())),
        new Case(
            "gradient of another shape",
            tf -> List.of(accumulator(tf).applyGradient(tf.constant(1f), step(tf)))),
        new Case(
            "rows and indices of other sizes",
            tf ->
                List.of(
                    tf.queues
                        .sparseConditionalAccumulator(AccumulatorOptions.of(FLOAT, Shape.of(5, 1)))
                        .applyGradient(
                            tf.constant(1L, 2L), tf.constant(Shape.of(1, 1), 1f), step(tf)))));
  }

  private static List<Case> writers() {
    return List.of(
        new Case(
            "write before the file is made",
            tf -> List.of(writer(tf).scalar(tf.constant(1L), "x", tf.constant(1f)))),
        new Case("flush before the file is made", tf -> List.of(writer(tf).flush())),
        new Case(
            "write after the file was closed",
            tf -> {
              SummaryWriter writer = writer(tf);
              return List.of(
                  writer.create(tf.constant("target/resource-errors")),
                  writer.close(),
                  writer.scalar(tf.constant(1L), "x", tf.constant(1f)));
            }),
        new Case(
            "bytes that are no event",
            tf -> {
              SummaryWriter writer = writer(tf);
              return List.of(
                  writer.create(tf.constant("target/resource-errors")),
                  writer.importEvent(tf.constant("\u0001\u0002")));
            }));
  }

  private static SummaryWriter writer(Ops tf) {
    return tf.summary.writer("writer");
  }

  private static List<Case> tables() {
    return List.of(
        new Case("find before initialization", tf -> List.of(find(tf, table(tf)))),
        new Case(
            "initialize with other entries",
            tf -> {
              LookupTable table = table(tf);
              return List.of(fill(tf, table, "a", "b"), fill(tf, table, "a"));
            }),
        new Case("one key with two values", tf -> List.of(fill(tf, table(tf), "a", "a"))),
        new Case(
            "insert into a fixed table",
            tf ->
                List.of(
                    table(tf)
                        .insert(tf.constant(new String[] {"a"}), tf.constant(new long[] {1L})))),
        new Case(
            "keys and values of other sizes",
            tf ->
                List.of(
                    tf.lookup
                        .mutableHashTable(STRING, INT64)
                        .insert(tf.constant("a", "b"), tf.constant(new long[] {1L})))),
        new Case(
            "values that are no vectors",
            tf -> List.of(vectors(tf).insert(tf.constant("a", "b"), tf.constant(1L, 2L)))),
        new Case("a default that is no vector", tf -> List.of(find(tf, vectors(tf)))),
        new Case(
            "vectors of no size",
            tf ->
                List.of(
                    tf.lookup
                        .mutableHashTableOfTensors(STRING, INT64, Shape.scalar())
                        .size()
                        .operation())),
        new Case(
            "missing file",
            tf ->
                List.of(
                    table(tf)
                        .initializeFromTextFile(
                            tf.constant("/absent/file"), TextFileColumns.of(0, 1)))));
  }

  private static void check(Case each) {
    Ops tf = Ops.create();
    List<Operation> steps = each.steps().apply(tf);
    Operation last = steps.get(steps.size() - 1);
    try (Session ours = Sessions.local(tf.graph());
        StockSession stock = new StockSession(GraphDefs.toProto(tf.graph()))) {
      for (Operation step : steps.subList(0, steps.size() - 1)) {
        ours.run(step);
        stock.run(Map.of(), List.of(), List.of(step.name()));
      }
      StockException refusal =
          catchThrowableOfType(
              StockException.class,
              () -> stock.run(new LinkedHashMap<>(), List.of(), List.of(last.name())));
      TributaryException ourRefusal =
          catchThrowableOfType(TributaryException.class, () -> ours.run(last));
      assertThat(refusal).as("stock's refusal").isNotNull();
      assertThat(ourRefusal).as("our refusal, where stock says: " + refusal).isNotNull();
      assertThat(ourRefusal.code())
          .as(ourRefusal + "; stock: " + refusal)
          .isEqualTo(refusal.code());
    } finally {
      tf.graph().close();
    }
  }

  private static Queue numbers(Ops tf, int capacity) {
    return numbers(tf, capacity, "");
  }

  private static Queue numbers(Ops tf, int capacity, String sharedName) {
    return tf.queues.fifoQueue(
        QueueOptions.of(capacity, INT32).withShapes(Shape.scalar()).withSharedName(sharedName));
  }

  private static Accumulator accumulator(Ops tf) {
    return tf.queues.conditionalAccumulator(AccumulatorOptions.of(FLOAT, Shape.of(2)));
  }

  private static Output step(Ops tf) {
    return tf.constant(0L);
  }

  private static LookupTable table(Ops tf) {
    return tf.lookup.hashTable(STRING, INT64);
  }

  private static LookupTable vectors(Ops tf) {
    return tf.lookup.mutableHashTableOfTensors(STRING, INT64, Shape.of(2));
  }

  private static Operation fill(Ops tf, LookupTable table, String... keys) {
    long[] values = new long[keys.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return table.initialize(tf.constant(keys), tf.constant(values));
  }

  private static Operation find(Ops tf, LookupTable table) {
    return table.find(tf.constant(new String[] {"a"}), tf.constant(0L)).operation();
  }

  private static Operation made(List<Output> outputs) {
    return outputs.get(0).operation();
  }
}
