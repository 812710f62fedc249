package dev.tributary.interop;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.spec.ClusterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * How tasks of ours talk to each other in all clusters of this run: {@code
 * -Dtributary.fastPaths=none|pushed|network|all}, and {@code -Dtributary.tls=true} for those that
 * have no stock task, which knows no TLS.
 */
final class OurTasks {
  static final FastPaths FAST_PATHS =
      FastPaths.valueOf(System.getProperty("tributary.fastPaths", "all").toUpperCase());
  private static final boolean TLS = Boolean.getBoolean("tributary.tls");

  private OurTasks() {}

  /** Certificates of a cluster without stock tasks. */
  static Optional<CertificateFolder> certificates(ClusterSpec cluster) throws IOException {
    return TLS
        ? Optional.of(
            ClusterCertificates.make(
                Files.createTempDirectory("certificates"),
                cluster,
                Clock.systemUTC(),
                Duration.ofDays(1)))
        : Optional.empty();
  }
}
