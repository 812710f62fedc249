package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import org.junit.jupiter.api.Test;

class MembershipTest {
  private static final long INITIAL = -1;

  @Test
  void resetUnlessInUse_workersThatTakePart_keepTheirClocks() {
    Ops tf = Ops.create();
    Membership membership = new Membership(tf, 3, 1, INITIAL);
    Operation reset = membership.resetUnlessInUse(tf);
    Operation tick = membership.setClock(tf, Membership.clock(tf, 7));
    Operation leave =
        membership.setClock(tf, tf.constant(2), Membership.clock(tf, Membership.ABSENT));
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      session.run(reset);
      assertThat(longs(session, membership.clocks())).containsExactly(INITIAL, INITIAL, INITIAL);
      session.run(tick);
      session.run(leave);

      session.run(reset);

      assertThat(longs(session, membership.clocks()))
          .containsExactly(INITIAL, 7, Membership.ABSENT);
    }
  }

  @Test
  void resetUnlessInUse_allWorkersHaveLeft_beginsAgain() {
    Ops tf = Ops.create();
    Membership membership = new Membership(tf, 2, 0, INITIAL);
    Operation reset = membership.resetUnlessInUse(tf);
    Operation leave = membership.setPresentClocks(tf, Membership.clock(tf, Membership.ABSENT));
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      session.run(reset);
      session.run(leave);

      session.run(reset);

      assertThat(longs(session, membership.clocks())).containsExactly(INITIAL, INITIAL);
    }
  }

  @Test
  void beat_ofOneWorker_countsForIt() {
    Ops tf = Ops.create();
    Membership membership = new Membership(tf, 2, 1, INITIAL);
    Operation reset = membership.reset();
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      session.run(reset);
      session.run(membership.beat());
      session.run(membership.beat());

      assertThat(longs(session, membership.beats())).containsExactly(0, 2);
    }
  }

  @Test
  void membership_ofAReplicaOutOfRange_isRefused() {
    assertThatThrownBy(() -> new Membership(Ops.create(), 2, 2, INITIAL))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("this is replica 2, but replicas are numbered from 0 to 1");
  }

  private static long[] longs(Session session, Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).toLongs();
    }
  }
}
