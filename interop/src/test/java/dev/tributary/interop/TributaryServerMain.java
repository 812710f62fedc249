package dev.tributary.interop;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.session.BackendChoice;
import java.util.Base64;
import org.tensorflow.proto.ServerDef;

/**
 * Runs one Tributary server for {@link TaskKind}. The arguments are a ServerDef in base 64 and the
 * name of a backend.
 */
final class TributaryServerMain {
  private TributaryServerMain() {}

  public static void main(String[] arguments) throws Exception {
    ServerDef def = ServerDef.parseFrom(Base64.getDecoder().decode(arguments[0]));
    ServerOptions options =
        ServerOptions.of(
                ClusterSpec.fromProto(def.getCluster()), def.getJobName(), def.getTaskIndex())
            .withBackend(BackendChoice.valueOf(arguments[1]));
    try (Server server = Server.start(options)) {
      TaskKind.serveUntilInputEnds();
    }
  }
}
