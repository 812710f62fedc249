package dev.tributary.cluster.internal.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.testing.NoLeaks;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.ConfigProto;

/** Sessions whose clients go without a word, by a clock of the test. */
@NoLeaks
@Timeout(60)
class SilentClientsTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration IDLE = Duration.ofHours(1);
  private static final CallOptions LOCAL = CallOptions.defaults();
  private static final CallOptions REMOTE =
      LOCAL.from(InetSocketAddress.createUnresolved("10.0.0.7", 40312));

  private final AtomicLong nanos = new AtomicLong();
  private final MasterCluster cluster = new MasterCluster(Map.of("worker", 1), 1);
  private final Ops tf = new Ops(cluster.tiny.graph().scope());
  private final Master master =
      cluster.master(
          "worker",
          0,
          MasterOptions.defaults()
              .withSessionLimits(LEASE, IDLE)
              .withLimits(Limits.defaults().withSessions(2)),
          ConfigProto.getDefaultInstance(),
          nanos::get);

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void session_withALease_endsSoonAfterItsClient() {
    String session = open(REMOTE);
    assertThat(TestClient.await(master.keepSession(session, REMOTE))).isEqualTo(LEASE);

    pass(LEASE);
    assertThat(isOpen(session)).isTrue(); // And asking is a sign of life.
    pass(LEASE.multipliedBy(2));
    assertThat(isOpen(session)).isFalse();
  }

  @Test
  void session_whoseClientRenewsItsLease_stays() {
    String session = open(REMOTE);
    for (int i = 0; i < 100; i++) {
      TestClient.await(master.keepSession(session, REMOTE));
      pass(LEASE.dividedBy(2));
    }
    assertThat(isOpen(session)).isTrue();
  }

  @Test
  void session_ofAClientThatAsksForNoLease_staysUntilTheIdleLimit() {
    String session = open(REMOTE);

    pass(IDLE.minus(LEASE));
    assertThat(isOpen(session)).isTrue();
    pass(IDLE.plus(LEASE));
    assertThat(isOpen(session)).isFalse();
  }

  @Test
  void session_ofThisProcess_stays() {
    String session = open(LOCAL);

    pass(IDLE.multipliedBy(3));

    assertThat(isOpen(session)).isTrue();
  }

  @Test
  void session_withAStepThatRuns_staysUntilItEnds() throws InterruptedException {
    tf.graph().scope().withName("wait").operation("TestWait").input(tf.constant(1L)).build();
    String session = open(REMOTE);
    TestClient.await(master.keepSession(session, REMOTE));
    TestClient client = TestClient.attach(master, session);
    CompletableFuture<RunStepResponse> step = client.step(Map.of(), List.of("wait"), List.of());
    cluster.tiny.gate.next();

    pass(IDLE.multipliedBy(2));

    assertThat(step).isNotDone();
    TestClient.await(master.closeSession(session, REMOTE));
    assertThat(TestClient.code(step)).isEqualTo(ErrorCode.CANCELLED);
  }

  @Test
  void session_afterThisProcessStoodStill_isGivenTime() {
    String session = open(REMOTE);
    TestClient.await(master.keepSession(session, REMOTE));

    nanos.addAndGet(IDLE.multipliedBy(2).toNanos());
    master.endSilentSessions();

    assertThat(isOpen(session)).isTrue();
  }

  @Test
  void open_atTheLimit_namesTheOldestSessions() {
    open(REMOTE);
    pass(Duration.ofSeconds(30));
    open(LOCAL);
    pass(Duration.ofSeconds(45));

    TributaryException refusal =
        TestClient.failure(
            master.createSession(
                new CreateSessionRequest(
                    GraphDefs.toProto(tf.graph()),
                    ConfigProto.getDefaultInstance(),
                    "grpc://other-0:1"),
                REMOTE));

    assertThat(refusal.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
    assertThat(refusal)
        .hasMessageContaining("2 of at most 2 sessions")
        .hasMessageContaining(
            "of 10.0.0.7:40312, open for 75 s, idle for 75 s;"
                + " of this process, open for 45 s, idle for 45 s");
  }

  private String open(CallOptions options) {
    return TestClient.await(
            master.createSession(
                new CreateSessionRequest(
                    GraphDefs.toProto(tf.graph()),
                    ConfigProto.getDefaultInstance(),
                    "grpc://other-0:1"),
                options))
        .sessionHandle();
  }

  /** Lets time pass, in steps as the master's timer would. */
  private void pass(Duration time) {
    Duration step = LEASE.dividedBy(4);
    for (Duration left = time; !left.isZero() && !left.isNegative(); left = left.minus(step)) {
      nanos.addAndGet((left.compareTo(step) < 0 ? left : step).toNanos());
      master.endSilentSessions();
    }
  }

  private boolean isOpen(String session) {
    return !master.listDevices(session, REMOTE).isCompletedExceptionally();
  }
}
