package dev.tributary.interop;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.TlsFiles;
import dev.tributary.session.BackendChoice;
import java.nio.file.Path;
import java.util.Base64;
import org.tensorflow.proto.ServerDef;

/**
 * Runs one Tributary server for {@link TaskKind}. The arguments are a ServerDef in base 64, the
 * names of a backend and of the fast paths, and a folder of certificates or nothing.
 */
final class TributaryServerMain {
  private TributaryServerMain() {}

  public static void main(String[] arguments) throws Exception {
    ServerDef def = ServerDef.parseFrom(Base64.getDecoder().decode(arguments[0]));
    ServerOptions options =
        ServerOptions.of(
                ClusterSpec.fromProto(def.getCluster()), def.getJobName(), def.getTaskIndex())
            .withBackend(BackendChoice.valueOf(arguments[1]))
            .withFastPaths(FastPaths.valueOf(arguments[2]));
    if (!arguments[3].isEmpty()) {
      TlsFiles files = new CertificateFolder(Path.of(arguments[3])).ofTask(options.task());
      options = options.withSecurity(ChannelSecurity.none().withTls(files.withMutual()));
    }
    try (Server server = Server.start(options)) {
      TaskKind.serveUntilInputEnds();
    }
  }
}
