package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.rpc.GrpcMaster;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;

/** The place of a client that is gone is free again soon, while one that is there keeps its own. */
@NoLeaks
@Timeout(120)
class SessionLeaseTest {
  private static final Duration LEASE = Duration.ofMillis(500);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final CallOptions CALL = CallOptions.defaults().within(LIMIT);

  @Test
  void open_atTheLimitWithADeadClient_succeedsSoon() throws Exception {
    Ops tf = Ops.create();
    try (ServersForTest servers =
            ServersForTest.start(
                Map.of("local", 1),
                options ->
                    options
                        .withTimes(TimeLimits.defaults().withLease(LEASE))
                        .withLimits(Limits.defaults().withSessions(2)));
        Session alive = open(servers, tf)) {
      leaveASession(servers.target("local", 0));

      awaitRoom(servers, tf).close();

      assertThat(alive.devices()).hasSize(1);
    }
    tf.graph().close();
  }

  /** As a client of ours that is killed. */
  private static void leaveASession(String target) throws Exception {
    try (GrpcMaster master =
        new GrpcMaster(target.substring("grpc://".length()), Duration.ofSeconds(5))) {
      String session =
          master
              .createSession(
                  new CreateSessionRequest(
                      GraphDef.getDefaultInstance(), ConfigProto.getDefaultInstance(), target),
                  CALL)
              .get(60, TimeUnit.SECONDS)
              .sessionHandle();
      assertThat(master.keepSession(session, CALL).get(60, TimeUnit.SECONDS)).isEqualTo(LEASE);
    }
  }

  private static Session awaitRoom(ServersForTest servers, Ops tf) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        return open(servers, tf);
      } catch (TributaryException e) {
        if (e.code() != ErrorCode.RESOURCE_EXHAUSTED || System.nanoTime() > end) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  private static Session open(ServersForTest servers, Ops tf) {
    return Session.open(
        servers.target("local", 0),
        tf.graph(),
        SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut()));
  }
}
