package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.security.ChannelSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of a system that does not say whose a connection is. */
class LocalTokensTest {
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final Recording<MasterInterface> master = Recording.of(MasterInterface.class);
  private final Recording<WorkerInterface> worker = Recording.of(WorkerInterface.class);

  @TempDir private Path home;

  @Test
  void check_clientOfTheUser_findsTheTokenOfEveryStart() throws Exception {
    LocalTokens tokens = new LocalTokens(home.resolve("servers"));
    int port;
    try (GrpcServer server = serve(0, tokens)) {
      port = server.port();
      check(port, tokens);
      assertThat(permissions(tokens.folder())).isEqualTo("rwx------");
      assertThat(permissions(tokens.folder().resolve(Integer.toString(port))))
          .isEqualTo("rw-------");
    }
    assertThat(tokens.folder()).isEmptyDirectory();
    try (GrpcServer again = serve(port, tokens)) {
      check(again.port(), tokens);
    }
  }

  @Test
  void check_clientOfAnotherUser_isRefused() {
    LocalTokens tokens = new LocalTokens(home.resolve("servers"));
    try (GrpcServer server = serve(0, tokens)) {
      assertThatThrownBy(() -> check(server.port(), new LocalTokens(home.resolve("elsewhere"))))
          .hasCauseInstanceOf(TributaryException.class)
          .hasMessageContaining("only its own user can read")
          .extracting(e -> ((TributaryException) e.getCause()).code())
          .isEqualTo(ErrorCode.UNAUTHENTICATED);
    }
  }

  @Test
  void start_folderThatCannotBeWritten_isNamed() throws IOException {
    LocalTokens tokens = new LocalTokens(Files.createFile(home.resolve("file")).resolve("servers"));

    assertThatThrownBy(() -> serve(0, tokens))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining(tokens.folder().toString())
        .hasMessageContaining("--any-local-user");
  }

  private static void check(int port, LocalTokens tokens) throws Exception {
    CallerSecurity security =
        new CallerSecurity(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), tokens);
    RpcThreads threads = new RpcThreads();
    try (threads;
        Peer peer =
            new Peer(
                "the server",
                "localhost:" + port,
                threads,
                security,
                TaskMemory.unlimited(),
                SILENCE)) {
      peer.check(CallOptions.defaults().within(SILENCE)).get(20, TimeUnit.SECONDS);
    }
  }

  private GrpcServer serve(int port, LocalTokens tokens) {
    return GrpcServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        master.target(),
        worker.target(),
        new CallerRules(ChannelSecurity.none(), Limits.defaults(), TaskMemory.unlimited(), true),
        Optional.empty(),
        Optional::empty,
        tokens,
        ConnectionLimits.of(Limits.defaults()));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
