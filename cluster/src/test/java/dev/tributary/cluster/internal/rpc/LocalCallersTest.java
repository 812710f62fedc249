package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.security.ChannelSecurity;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCallersTest {
  @TempDir private Path folder;

  @Test
  void user_ofAConnection_isLookedUpOnce() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/net/tcp6")), "only Linux has tables of sockets");
    Path tcp = Files.createSymbolicLink(folder.resolve("tcp"), Path.of("/proc/net/tcp"));
    Path tcp6 = Files.createSymbolicLink(folder.resolve("tcp6"), Path.of("/proc/net/tcp6"));
    LocalCallers callers = LocalCallers.find(new SocketTable(List.of(tcp, tcp6))).orElseThrow();
    try (GrpcServer server = serve(callers);
        RawCalls known = new RawCalls("localhost:" + server.port());
        RawCalls late = new RawCalls("localhost:" + server.port())) {
      assertThat(call(known)).isEqualTo(Status.Code.OK);

      Files.delete(tcp);
      Files.delete(tcp6);

      assertThat(call(known)).isEqualTo(Status.Code.OK);
      assertThat(call(late)).as("nobody knows whose it is").isEqualTo(Status.Code.UNAUTHENTICATED);
    }
  }

  private static Status.Code call(RawCalls caller) {
    return caller.status(WorkerService.NAME, "CleanupGraph", ByteString.EMPTY).getCode();
  }

  private static GrpcServer serve(LocalCallers callers) {
    return GrpcServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Recording.of(MasterInterface.class).target(),
        Recording.of(WorkerInterface.class).target(),
        new CallerRules(ChannelSecurity.none(), Limits.defaults(), TaskMemory.unlimited(), true),
        Optional.empty(),
        () -> Optional.of(callers),
        new LocalTokens(Path.of("unused")),
        ConnectionLimits.of(Limits.defaults()));
  }
}
