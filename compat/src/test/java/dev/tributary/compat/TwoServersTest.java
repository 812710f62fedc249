package dev.tributary.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.MessageLite;
import io.grpc.ManagedChannel;
import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program with the versions of the Maven module that this runs in. */
@Tag("slow")
@Timeout(300)
class TwoServersTest {
  private static final Map<String, Class<?>> LIBRARIES =
      Map.of(
          "grpc", ManagedChannel.class,
          "netty", Channel.class,
          "protobuf", MessageLite.class,
          "guava", MoreExecutors.class);

  @TempDir Path folder;

  /** Maven resolves versions by its own rules, so the wrong ones may be here. */
  @BeforeEach
  void versions_areThoseOfTheModule() {
    LIBRARIES.forEach(
        (library, type) ->
            assertThat(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .as(library)
                .endsWith("-" + System.getProperty("versions." + library) + ".jar"));
  }

  @Test
  void local_graphFromText_computesOnOneDnn() {
    assertThat(new TwoServers(folder).local()).isEqualTo(64f);
  }

  @Test
  void cluster_twoServers_shareAVariable() throws IOException {
    assertThat(new TwoServers(folder).cluster()).isEqualTo(2f);
  }

  @Test
  void clusterWithTls_twoServers_shareAVariable() throws IOException {
    assertThat(new TwoServers(folder).clusterWithTls()).isEqualTo(2f);
  }
}
