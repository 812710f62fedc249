package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.rpc.StreamTls;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.security.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps by TCP with TLS, where both sides show certificates. */
class TlsStepTransportTest extends NetworkStepTransportTest {
  private static final TaskName PS = new TaskName("ps", 0);

  @TempDir private static Path folder;
  private static CertificateFolder certificates;

  @BeforeAll
  static void makeCertificates() {
    certificates = make("certificates");
  }

  static TlsFiles ofServer() {
    return certificates.ofTask(PS).withMutual();
  }

  static TlsFiles ofCaller() {
    return certificates.ofClient();
  }

  @Override
  Optional<Supplier<SSLEngine>> serverTls() throws Exception {
    return Optional.of(StreamTls.ofServer(ofServer()));
  }

  @Override
  Optional<Supplier<SSLEngine>> callerTls() throws Exception {
    Function<String, SSLEngine> engines = StreamTls.ofClient(ofCaller());
    return Optional.of(() -> engines.apply(HOST));
  }

  /** As of a cluster that this one has nothing to do with. */
  @Test
  void certificates_ofAnotherAuthority_openNothing() throws Exception {
    CertificateFolder others = make("others");
    Function<String, SSLEngine> engines = StreamTls.ofClient(others.ofClient());
    assertRefused(new NetworkRoute(HOST, Optional.of(() -> engines.apply(HOST))));
  }

  @Test
  void certificate_forAnotherHost_isNotTrusted() throws Exception {
    Function<String, SSLEngine> engines = StreamTls.ofClient(ofCaller());
    assertRefused(new NetworkRoute(HOST, Optional.of(() -> engines.apply("elsewhere"))));
  }

  @Test
  void plainText_atAPortWithTls_opensNothing() throws Exception {
    assertRefused(new NetworkRoute(HOST, Optional.empty()));
  }

  private void assertRefused(NetworkRoute route) throws Exception {
    try (NetworkStreamServer server = startServer()) {
      NetworkEndpoint offer = server.offer();
      assertThatThrownBy(
              () ->
                  StreamConnection.open(
                          "the server", offer, route, TaskMemory.unlimited(), ThreadTimer.shared())
                      .close())
          .isInstanceOf(IOException.class);
    }
  }

  private static CertificateFolder make(String name) {
    return ClusterCertificates.make(
        folder.resolve(name),
        ClusterSpec.of(Map.of("ps", List.of(HOST + ":0"))),
        Clock.systemUTC(),
        Duration.ofDays(1));
  }
}
