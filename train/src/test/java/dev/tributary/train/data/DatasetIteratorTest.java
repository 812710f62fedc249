package dev.tributary.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.SingularMonitoredSession;
import dev.tributary.train.variable.GraphKeys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The iterators of graphs. */
@NoLeaks
@Timeout(60)
class DatasetIteratorTest {
  private final Ops tf = Ops.create();
  private final Session session = Session.local(tf.graph());

  @AfterEach
  void close() {
    session.close();
    tf.graph().close();
  }

  @Test
  void oneShot_allElements_comeOnce() {
    Output next = Dataset.range(3).iterator(tf).next();

    assertThat(untilEnd(next)).containsExactly(0L, 1L, 2L);
    assertThat(untilEnd(next)).isEmpty();
  }

  @Test
  void oneShot_valueFromOutside_saysWhatToUse() {
    Output limit = tf.placeholder(DataType.INT64, Shape.scalar());
    Dataset<Output> small = Dataset.range(9).filter((f, x) -> f.less(x, limit));

    assertThatThrownBy(() -> small.iterator(tf))
        .isInstanceOf(TributaryException.class)
        .hasMessage(
            "Dataset range -> filter uses [Placeholder:0], which a one-shot iterator cannot: use"
                + " initializableIterator, and run its initializer");
  }

  @Test
  void initializable_placeholderFromOutside_isThatOfTheInitializer() {
    Output limit = tf.placeholder(DataType.INT64, Shape.scalar());
    DatasetIterator<Output> iterator =
        Dataset.range(9).filter((f, x) -> f.less(x, limit)).initializableIterator(tf);
    Output next = iterator.next();

    session.run(iterator.initializer(), Feeds.of(limit, 2L));
    assertThat(untilEnd(next)).containsExactly(0L, 1L);
    session.run(iterator.initializer(), Feeds.of(limit, 3L));
    assertThat(untilEnd(next)).containsExactly(0L, 1L, 2L);
  }

  @Test
  void initializable_variableFromOutside_isReadWithEachElement() {
    Variable offset = tf.variable("offset", 10L);
    DatasetIterator<Output> iterator =
        Dataset.range(5).map((f, x) -> f.add(x, offset)).initializableIterator(tf);
    Output next = iterator.next();
    Operation more = offset.assignAdd(tf.constant(100L));

    session.run(tf.globalVariablesInitializer());
    session.run(iterator.initializer());
    assertThat(session.fetch(next).longValue()).isEqualTo(10);
    session.run(more);
    assertThat(session.fetch(next).longValue()).isEqualTo(111);
  }

  @Test
  void initializable_withoutItsInitializer_isFailedPrecondition() {
    Output next = Dataset.range(3).initializableIterator(tf).next();

    assertThatThrownBy(() -> session.fetch(next))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
        .hasMessageContaining("has not been initialized");
  }

  @Test
  void reinitializable_twoDatasets_beginInTurns() {
    DatasetIterator<Output> iterator =
        DatasetIterator.reinitializable(tf, ElementSpec.tensor(DataType.INT64, Shape.of(-1)));
    Operation training = iterator.initializer(Dataset.range(5).batch(2));
    Operation test = iterator.initializer(Dataset.range(9).batch(8, true));
    Output count = tf.size(iterator.next());

    session.run(training);
    assertThat(session.fetch(count).intValue()).isEqualTo(2);
    session.run(test);
    assertThat(session.fetch(count).intValue()).isEqualTo(8);
    session.run(training);
    assertThat(session.fetch(count).intValue()).isEqualTo(2);
  }

  @Test
  void reinitializable_otherElements_saysBoth() {
    DatasetIterator<Output> iterator =
        DatasetIterator.reinitializable(tf, ElementSpec.tensor(DataType.INT64, Shape.scalar()));

    assertThatThrownBy(() -> iterator.initializer(Dataset.tensor(1f)))
        .isInstanceOf(TributaryException.class)
        .hasMessage(
            "the elements differ, (int64[]) and (float[]): both must have the same components");
  }

  @Test
  void feedable_twoIterators_keepTheirPlaces() {
    DatasetIterator<Output> training = Dataset.range(100).initializableIterator(tf);
    DatasetIterator<Output> test = Dataset.range(500, 600, 1).initializableIterator(tf);
    Output handle = tf.placeholder(DataType.STRING, Shape.scalar());
    Output next = DatasetIterator.fromStringHandle(tf, handle, training.spec()).next();
    session.run(training.initializer(), test.initializer());
    Feeds ofTraining = Feeds.of(handle, session.fetch(training.stringHandle()));
    Feeds ofTest = Feeds.of(handle, session.fetch(test.stringHandle()));

    assertThat(session.fetch(next, ofTraining).longValue()).isZero();
    assertThat(session.fetch(next, ofTraining).longValue()).isEqualTo(1);
    assertThat(session.fetch(next, ofTest).longValue()).isEqualTo(500);
    assertThat(session.fetch(next, ofTraining).longValue()).isEqualTo(2);
  }

  @Test
  void next_twoNodes_takeAnElementEach() {
    DatasetIterator<Output> iterator = Dataset.range(4).iterator(tf);
    Output sum = tf.add(iterator.next(), iterator.next());

    assertThat(session.fetch(sum).longValue()).isEqualTo(1);
    assertThat(session.fetch(sum).longValue()).isEqualTo(5);
  }

  @Test
  void reduce_allElements_givesTheLastState() {
    Output sum = Dataset.range(5).reduce(tf, tf.constant(100L), (f, state, x) -> f.add(state, x));

    assertThat(session.fetch(sum).longValue()).isEqualTo(110);
    assertThat(session.fetch(sum).longValue()).isEqualTo(110);
  }

  @Test
  void reduce_stateThatGrows_isFollowed() {
    Output all =
        Dataset.range(4)
            .reduce(
                tf,
                tf.constant(new long[] {7}),
                (f, state, x) -> f.concat(0, state, f.reshape(x, 1)));

    assertThat(all.shape()).isEqualTo(Shape.of(-1));
    assertThat(session.fetch(all).toLongs()).containsExactly(7, 0, 1, 2, 3);
  }

  @Test
  void reduce_pairOfStates_givesBoth() {
    Pair<Output, Output> both =
        Dataset.range(4)
            .reduce(
                tf,
                Pair.of(tf.constant(0L), tf.constant(1L)),
                (f, state, x) ->
                    Pair.of(f.add(state.first(), x), f.mul(state.second(), f.constant(2L))));

    assertThat(session.fetch(both.first()).longValue()).isEqualTo(6);
    assertThat(session.fetch(both.second()).longValue()).isEqualTo(16);
  }

  @Test
  void single_oneElement_isIt() {
    assertThat(session.fetch(Dataset.range(4).batch(4).single(tf)).toLongs())
        .containsExactly(0, 1, 2, 3);
    Output none = Dataset.range(0).single(tf);
    assertThatThrownBy(() -> session.fetch(none)).hasMessageContaining("empty");
  }

  @Test
  void seeds_ofTheGraph_areThoseOfStagesWithoutTheirOwn() {
    tf.graph().setSeed(5);
    Output a = Dataset.range(50).shuffle(50).batch(50).iterator(tf).next();
    Output b = Dataset.range(50).shuffle(50).batch(50).iterator(tf).next();

    long[] first = session.fetch(a).toLongs();
    assertThat(session.fetch(b).toLongs()).isNotEqualTo(first);
    Ops again = Ops.create();
    again.graph().setSeed(5);
    try (var graph = again.graph();
        Session other = Session.local(graph)) {
      Output same = Dataset.range(50).shuffle(50).batch(50).iterator(again).next();
      assertThat(other.fetch(same).toLongs()).isEqualTo(first);
    }
  }

  @Test
  void monitoredSession_initializerAmongThoseOfTables_endsWithTheInput() {
    DatasetIterator<Output> input = Dataset.range(7).batch(2).initializableIterator(tf);
    tf.graph().addToCollection(GraphKeys.TABLE_INITIALIZERS, input.initializer());
    Output sum = tf.sum(input.next());
    List<Long> sums = new ArrayList<>();
    try (MonitoredSession monitored = SingularMonitoredSession.open(tf, List.of())) {
      monitored.repeatUntilStop(s -> sums.add(s.fetch(sum).longValue()));
    }

    assertThat(sums).containsExactly(1L, 5L, 9L, 6L);
  }

  private List<Long> untilEnd(Output next) {
    List<Long> values = new ArrayList<>();
    while (true) {
      try {
        values.add(session.fetch(next).longValue());
      } catch (TributaryException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
        return values;
      }
    }
  }
}
