package dev.tributary.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages of pipelines that run functions of Java. */
@NoLeaks
@Timeout(60)
class HostFunctionsTest {
  private static final ElementSpec<Output> NUMBER =
      ElementSpec.tensor(DataType.INT64, Shape.scalar());

  @Test
  void generator_ofAList_givesItsValuesInEachPass() {
    Dataset<Output> numbers = Dataset.generator(List.of(3L, 1L, 2L), NUMBER).repeat(2);

    assertThat(Rows.of(numbers)).containsExactly("3", "1", "2", "3", "1", "2");
  }

  @Test
  void generator_ofNamedValues_givesExamples() {
    Dataset<Examples> people =
        Dataset.generator(
            List.of(
                Map.of("name", "Ann", "scores", new float[] {1, 2}),
                Map.of("name", "Bob", "scores", new float[] {3})),
            ElementSpec.examples(
                Map.of(
                    "name", ElementSpec.tensor(DataType.STRING, Shape.scalar()),
                    "scores", ElementSpec.tensor(DataType.FLOAT, Shape.of(-1)))));

    assertThat(Rows.of(people)).containsExactly("Ann [1.0, 2.0]", "Bob [3.0]");
  }

  /** An iterator that must be closed. */
  private static final class Counting implements Iterator<Long>, AutoCloseable {
    private final List<String> log;
    private long at;

    Counting(List<String> log) {
      this.log = log;
      log.add("open");
    }

    @Override
    public boolean hasNext() {
      return at < 3;
    }

    @Override
    public Long next() {
      return at++;
    }

    @Override
    public void close() {
      log.add("close after " + at);
    }
  }

  @Test
  void generator_ofIteratorsThatCanBeClosed_closesEach() {
    List<String> log = new ArrayList<>();
    Iterable<Long> values = () -> new Counting(log);

    assertThat(Rows.of(Dataset.generator(values, NUMBER).repeat(2))).hasSize(6);
    assertThat(log).containsExactly("open", "close after 3", "open", "close after 3");
  }

  @Test
  void generator_loopLeftInTheMiddle_isClosed() {
    List<String> log = new ArrayList<>();
    Iterable<Long> values = () -> new Counting(log);

    try (Iteration pass = Dataset.generator(values, NUMBER).iterate()) {
      assertThat(pass.iterator().next().get(0).longValue()).isZero();
    }
    assertThat(log).containsExactly("open", "close after 1");
  }

  @Test
  void generator_valueOfAnotherType_saysWhichIsWanted() {
    assertThatThrownBy(() -> Rows.of(Dataset.generator(List.of("three"), NUMBER)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("returned values of types [STRING] and not of [INT64]");
    assertThatThrownBy(() -> Rows.of(Dataset.generator(List.of(new long[] {1, 2}), NUMBER)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("[2]");
    assertThatThrownBy(() -> Rows.of(Dataset.generator(List.of(Pair.of(1L, 2L)), NUMBER)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("2 components, wanted 1: (int64[])");
  }

  @Test
  void mapJava_someCallsAtOnce_keepsTheOrder() {
    ElementSpec<Output> text = ElementSpec.tensor(DataType.STRING, Shape.scalar());
    Dataset<Output> mapped = Dataset.range(100).mapJava(text, e -> "n" + e.get(0).longValue(), 4);

    assertThat(Rows.of(mapped))
        .containsExactlyElementsOf(IntStream.range(0, 100).mapToObj(i -> "n" + i).toList());
  }

  @Test
  void mapJava_partsByName_areThoseOfTheElement() {
    Dataset<Output> sums =
        Dataset.tensorSlices(Map.of("a", new long[] {1, 2}, "b", new long[] {10, 20}))
            .mapJava(NUMBER, e -> e.get("a").longValue() + e.get("b").longValue());

    assertThat(Rows.of(sums)).containsExactly("11", "22");
  }

  @Test
  void filterJava_predicate_keepsWhatItSays() {
    assertThat(Rows.of(Dataset.range(10).filterJava(e -> e.get(0).longValue() % 3 == 0)))
        .containsExactly("0", "3", "6", "9");
  }

  @Test
  void mapJava_functionThatFails_failsAtItsElementAndGoesOn() {
    Dataset<Output> quotients =
        Dataset.range(3).mapJava(NUMBER, e -> 6 / (e.get(0).longValue() - 1));

    try (Iteration pass = quotients.iterate()) {
      Iterator<Elements> elements = pass.iterator();
      assertThat(elements.next().get(0).longValue()).isEqualTo(-6);
      assertThatThrownBy(elements::next)
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("/ by zero");
      assertThat(elements.next().get(0).longValue()).isEqualTo(6);
      assertThat(elements.hasNext()).isFalse();
    }
  }

  @Test
  void mapJava_graphThatOutlivesTheDataset_stillCallsIt() {
    Ops tf = Ops.create();
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      Output next =
          Dataset.range(5).mapJava(NUMBER, e -> e.get(0).longValue() + 1).iterator(tf).next();
      System.gc();
      assertThat(session.fetch(next).longValue()).isEqualTo(1);
      System.gc();
      assertThat(session.fetch(next).longValue()).isEqualTo(2);
    }
  }

  @Test
  void function_ofAnotherProcess_isRefused() {
    Ops tf = Ops.create();
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      Output called =
          tf.scope()
              .operation("PyFunc")
              .inputList(List.of(tf.constant(1L)))
              .attr("token", "mapJava#1@elsewhere")
              .attr("Tout", List.of(DataType.INT64))
              .buildOutput();
      assertThatThrownBy(() -> session.fetch(called))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
          .hasMessageContaining("'mapJava' lives in the process of the program that made it");
    }
  }

  /** A tensor that a function returns is the program's still. */
  @Test
  void mapJava_tensorThatIsReturned_staysTheProgramsOwn() {
    try (Tensor seven = Tensor.scalar(7L)) {
      assertThat(Rows.of(Dataset.range(2).mapJava(NUMBER, e -> seven))).containsExactly("7", "7");
      assertThat(seven.longValue()).isEqualTo(7);
    }
  }
}
