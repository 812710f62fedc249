package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.TensorArray;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The limit of memory where the heap of very many small elements is more than their values. */
@NoLeaks
@Timeout(60)
class TinyElementsTest {
  private static final SessionOptions ONE_MIB = SessionOptions.defaults().withMemoryBytes(1 << 20);
  private static final List<DataType> ONE_FLOAT = List.of(DataType.FLOAT);

  /** More places of 192 bytes than a mebibyte has. */
  private static final int MANY = 6_000;

  /** An operation that adds an element with a key, and one that takes it. */
  private record Holder(Operation add, Operation take) {}

  private final Ops tf = Ops.create();
  private final Output key = tf.placeholder(DataType.INT64, Shape.scalar());
  private final Output one = tf.constant(1f);

  static Stream<Arguments> holders() {
    return Stream.of(
        arguments("queues", (BiFunction<Ops, TinyElementsTest, Holder>) (tf, t) -> t.queue()),
        arguments("staging areas", (BiFunction<Ops, TinyElementsTest, Holder>) (tf, t) -> t.area()),
        arguments("staging maps", (BiFunction<Ops, TinyElementsTest, Holder>) (tf, t) -> t.map()),
        arguments("barriers", (BiFunction<Ops, TinyElementsTest, Holder>) (tf, t) -> t.barrier()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("holders")
  void elements_ofOneTensorAgainAndAgain_fillTheLimitUntilTheyAreTaken(
      String kind, BiFunction<Ops, TinyElementsTest, Holder> make) {
    Holder holder = make.apply(tf, this);
    try (Session session = Session.local(tf.graph(), ONE_MIB)) {
      int count = fill(session, holder, kind);
      for (int i = 0; i < count; i++) {
        session.run(holder.take());
      }
      assertThat(fill(session, holder, kind)).isEqualTo(count); // Nothing stays counted.
    }
    tf.graph().close();
  }

  /** Adds elements until there is no memory, and returns how many went in. */
  private int fill(Session session, Holder holder, String kind) {
    int[] added = {0};
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(
            () -> {
              for (; added[0] < MANY; added[0]++) {
                session.run(holder.add(), Feeds.of(key, (long) added[0]));
              }
            })
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED)
        .withMessageContaining("an element of ")
        .withMessageContaining("by " + kind);
    return added[0];
  }

  @Test
  void loop_writesOneTensorToManyPlaces_isRefusedAndLeavesNothing() {
    Output size = tf.placeholder(DataType.INT32, Shape.scalar());
    TensorArray array = TensorArray.of(tf, DataType.FLOAT, Shape.scalar(), size);
    Output filled =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), array.flow()),
                (t, v) -> t.less(v.get(0), size),
                (t, v) ->
                    List.of(
                        t.add(v.get(0), t.constant(1)),
                        array.withFlow(t, v.get(1)).write(v.get(0), one).flow()))
            .get(1);
    try (Session session = Session.local(tf.graph(), ONE_MIB);
        Tensor many = Tensor.scalar(MANY);
        Tensor few = Tensor.scalar(4_000)) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> session.runner().feed(size, many).fetch(filled).run())
          .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED)
          .withMessageContaining("an element of TensorArray");
      for (int i = 0; i < 3; i++) {
        session.runner().feed(size, few).fetch(filled).run().close();
      }
    }
    tf.graph().close();
  }

  private Holder queue() {
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(MANY, DataType.FLOAT));
    return new Holder(queue.enqueue(one), queue.dequeue().get(0).operation());
  }

  private Holder area() {
    return new Holder(
        tf.queues.stage("area", List.of(one)),
        tf.queues.unstage("area", ONE_FLOAT).get(0).operation());
  }

  private Holder map() {
    Operation add =
        tf.scope()
            .operation("MapStage")
            .input(key)
            .input(tf.constant(new int[] {0}))
            .inputList(List.of(one))
            .attr("dtypes", ONE_FLOAT)
            .attr("shared_name", "map")
            .build();
    Operation take =
        tf.scope()
            .operation("MapUnstageNoKey")
            .input(tf.constant(new int[] {0}))
            .attr("dtypes", ONE_FLOAT)
            .attr("shared_name", "map")
            .build();
    return new Holder(add, take);
  }

  private Holder barrier() {
    Output barrier = tf.queues.barrier(ONE_FLOAT, List.of(Shape.scalar()), "barrier");
    Output keys = tf.reshape(tf.strings.asString(key), tf.constant(new int[] {1}));
    Output values = tf.reshape(one, tf.constant(new int[] {1}));
    return new Holder(
        tf.queues.barrierInsertMany(barrier, 0, keys, values),
        tf.queues.barrierTakeMany(barrier, tf.constant(1), ONE_FLOAT, false).get(0).operation());
  }
}
