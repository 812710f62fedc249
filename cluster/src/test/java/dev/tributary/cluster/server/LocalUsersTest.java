package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.internal.session.MasterConnection;
import dev.tributary.cluster.testing.OtherUser;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.JobToken;
import dev.tributary.session.ClusterOptions;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server at a loopback address, which every user of the machine reaches. */
@Tag("processes")
@Timeout(120)
class LocalUsersTest {
  private static final Map<String, Integer> ONE_TASK = Map.of("local", 1);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Test
  void devices_anotherUser_isRefused() throws Exception {
    try (ServersForTest servers = ServersForTest.start(ONE_TASK);
        OtherUser nobody = callerOf(servers)) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> devices(nobody, ChannelSecurity.none()))
          .matches(e -> e.code() == ErrorCode.UNAUTHENTICATED, "UNAUTHENTICATED")
          .withMessageContaining("is of user " + OtherUser.UID)
          .withMessageContaining("--any-local-user");
    }
  }

  @Test
  void devices_ownUser_areListed() {
    try (ServersForTest servers = ServersForTest.start(ONE_TASK)) {
      assertThat(devices(servers.target("local", 0), ChannelSecurity.none())).isEqualTo(1);
    }
  }

  @Test
  void devices_anotherUserWhereAllAreLetIn_areListed() throws Exception {
    assertListedForAnotherUser(ServerOptions::withAnyLocalUser, ChannelSecurity.none());
    assertListedForAnotherUser(options -> options.withInsecure(true), ChannelSecurity.none());
  }

  @Test
  void devices_anotherUserWithTheToken_areListed() throws Exception {
    ChannelSecurity token = ChannelSecurity.none().withToken(JobToken.random());
    assertListedForAnotherUser(options -> options.withSecurity(token), token);
  }

  private static void assertListedForAnotherUser(
      UnaryOperator<ServerOptions> change, ChannelSecurity security) throws Exception {
    try (ServersForTest servers = ServersForTest.start(ONE_TASK, change);
        OtherUser nobody = callerOf(servers)) {
      assertThat(devices(nobody, security)).isEqualTo(1);
    }
  }

  private static OtherUser callerOf(ServersForTest servers) throws Exception {
    String target = servers.target("local", 0);
    return OtherUser.calling(target.substring(target.lastIndexOf(':') + 1));
  }

  private static int devices(OtherUser user, ChannelSecurity security) {
    return devices("grpc://127.0.0.1:" + user.address().getPort(), security);
  }

  private static int devices(String target, ChannelSecurity security) {
    try (MasterConnection master =
        MasterConnection.open(
            target, ClusterOptions.defaults().withoutShortCut().withSecurity(security))) {
      return master.devices(LIMIT).size();
    }
  }
}
