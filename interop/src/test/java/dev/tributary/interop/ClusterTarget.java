package dev.tributary.interop;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.graph.Graph;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import java.util.Optional;
import org.tensorflow.proto.GraphDef;

/**
 * Where sessions are opened, and with which certificates.
 *
 * @param address {@code grpc://host:port}
 */
record ClusterTarget(String address, Optional<CertificateFolder> certificates) {
  /** A session of ours. */
  Session open(Graph graph) {
    ChannelSecurity security =
        certificates
            .map(files -> ChannelSecurity.none().withTls(files.ofClient()))
            .orElse(ChannelSecurity.none());
    return Session.open(
        address,
        graph,
        SessionOptions.defaults().withCluster(ClusterOptions.defaults().withSecurity(security)));
  }

  /** A session of stock TensorFlow's; the test is skipped where that cannot be. */
  StockSession openStock(GraphDef graph) {
    assumeTrue(certificates.isEmpty(), "stock TensorFlow has no TLS");
    return StockSession.remote(graph, address);
  }
}
