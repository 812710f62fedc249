package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.session.Scaffold;
import dev.tributary.train.session.SessionManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Training programs whose master is not up yet, or whose target is mistyped. */
@Timeout(180)
class LateMasterTest {
  private static final SessionManager PATIENT =
      new SessionManager(Scaffold.defaults())
          .withWaits(Duration.ofMillis(50), Duration.ofSeconds(120));
  private static final SessionOptions IMPATIENT =
      SessionOptions.defaults()
          .withCluster(ClusterOptions.defaults().withConnectTimeout(Duration.ofMillis(500)));

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void waitForSession_masterStartsAfterRefusals_opensOne() throws Exception {
    String address = FreePorts.addresses(1).get(0);
    ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of(address)));
    CountDownLatch attempts = new CountDownLatch(3);
    CompletableFuture<Session> waiting =
        CompletableFuture.supplyAsync(
            () ->
                PATIENT.waitForSession(
                    () -> {
                      attempts.countDown();
                      return Session.open("grpc://" + address, tf.graph(), IMPATIENT);
                    }));
    assertThat(attempts.await(60, TimeUnit.SECONDS)).isTrue();
    try (Server server = Server.start(ServerOptions.of(cluster, "local", 0));
        Session session = waiting.get(120, TimeUnit.SECONDS)) {
      assertThat(server.target()).isEqualTo("grpc://" + address);
      session.run(tf.noOp());
    }
  }

  @Test
  void waitForSession_unknownHost_failsAtOnce() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(
            () ->
                PATIENT.waitForSession(
                    () -> Session.open("grpc://no-such-host.invalid:2222", tf.graph(), IMPATIENT)))
        .matches(e -> e.code() == ErrorCode.NOT_FOUND)
        .withMessageContaining("unknown host");
  }
}
