package dev.tributary.train.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.model.Summaries;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.testing.TinyModel;
import dev.tributary.train.variable.GraphKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NoLeaks
@Timeout(value = 10, unit = TimeUnit.SECONDS)
class ScaffoldTest {
  private final Ops tf = Ops.create();
  private final TinyModel model = TinyModel.build(tf);

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @Test
  void completed_twice_givesTheSamePieces() {
    Summaries.scalar(tf, "loss", model.loss());

    Scaffold first = Scaffold.defaults().completed(tf);
    int operations = tf.graph().operations().size();
    Scaffold second = Scaffold.defaults().completed(tf);

    assertThat(second).isEqualTo(first);
    assertThat(tf.graph().operations()).hasSize(operations);
    assertThat(first.summaryOp()).isPresent();
    assertThat(first.saver().orElseThrow().options().sharded()).isTrue();
  }

  @Test
  void completed_givenPieces_keepsThem() {
    Saver saver = Saver.of(tf.graph());

    Scaffold scaffold =
        Scaffold.defaults().withSaver(saver).withInitOp(model.train()).completed(tf);

    assertThat(scaffold.saver()).containsSame(saver);
    assertThat(scaffold.initOp()).contains(model.train());
  }

  @Test
  void completed_graphWithoutVariables_hasNoSaver() {
    Ops empty = Ops.create();

    Scaffold scaffold = Scaffold.defaults().completed(empty);

    assertThat(scaffold.saver()).isEmpty();
    assertThat(scaffold.summaryOp()).isEmpty();
    empty.graph().close();
  }

  @Test
  void completed_twoSaversInTheCollection_asksForOne() {
    tf.graph().addToCollection(GraphKeys.SAVERS, Saver.of(tf.graph()));
    tf.graph().addToCollection(GraphKeys.SAVERS, Saver.of(tf.graph()));

    assertThatThrownBy(() -> Scaffold.defaults().completed(tf))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'savers' has 2 elements");
  }

  @Test
  void initOp_thatReadsWhatHasNoValue_failsAtOnce() {
    Scaffold scaffold = Scaffold.defaults().withInitOp(model.train()).completed(tf);
    SessionManager sessions =
        new SessionManager(scaffold).withWaits(Duration.ofSeconds(20), Duration.ofHours(1));

    assertThatThrownBy(
            () -> sessions.prepareSession(() -> Session.local(tf.graph()), Optional.empty()))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION));
  }

  @Test
  void initFn_newModel_isCalledAfterTheInitOp() {
    List<Long> steps = new ArrayList<>();
    Scaffold scaffold =
        Scaffold.defaults().withInitFn(session -> steps.add(model.step(session))).completed(tf);

    new SessionManager(scaffold)
        .prepareSession(() -> Session.local(tf.graph()), Optional.empty())
        .close();

    assertThat(steps).containsExactly(0L);
  }
}
