package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.spec.ClusterSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.ConfigProto;

class ServerOptionsTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  @Test
  void threads_ofTasksOfOneJobOnOneHost_areTheirSharesOfTheCores() {
    ClusterSpec cluster =
        ClusterSpec.of(
            Map.of(
                "ps", List.of("localhost:0"),
                "worker", Collections.nCopies(CORES + 1, "localhost:0")));

    assertThat(ServerOptions.of(cluster, "worker", 0).intraOpThreads()).isEqualTo(1);
    assertThat(ServerOptions.of(cluster, "ps", 0).intraOpThreads()).isEqualTo(CORES);
  }

  @Test
  void threads_configured_areThose() {
    ClusterSpec cluster = ClusterSpec.of(Map.of("worker", List.of("localhost:0", "localhost:0")));
    ServerOptions options =
        ServerOptions.of(cluster, "worker", 0)
            .withConfig(ConfigProto.newBuilder().setIntraOpParallelismThreads(CORES + 3).build());

    assertThat(options.intraOpThreads()).isEqualTo(CORES + 3);
  }
}
