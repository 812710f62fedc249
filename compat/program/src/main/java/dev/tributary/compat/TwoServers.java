package dev.tributary.compat;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.GraphFiles;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.session.BackendChoice;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Computes in a local session on oneDNN, then in a cluster of two servers in plain text, and in one
 * with mutual TLS. Both clusters send tensors by gRPC, past the private sockets that tasks of one
 * process would use.
 */
public final class TwoServers {
  private static final int SIZE = 64;

  private final Path folder;

  /**
   * @param folder an empty one, for the certificates and the graph
   */
  public TwoServers(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws IOException {
    TwoServers program = new TwoServers(Path.of(arguments[0]));
    System.out.println("local: " + program.local());
    System.out.println("cluster: " + program.cluster());
    System.out.println("cluster with TLS: " + program.clusterWithTls());
  }

  /** An element of a product of matrices, of a graph that went through a text file: 64. */
  public float local() {
    Ops tf = Ops.create();
    Output ones = tf.fill(tf.constant(Tensor.of(SIZE, SIZE)), tf.constant(1f));
    Output corner = tf.max(tf.matMul(ones, ones));
    Path file = folder.resolve("graph.pbtxt");
    GraphFiles.writeText(file, GraphDefs.toProto(tf.graph()));
    Graph read = Ops.create().graph();
    GraphDefs.importInto(read, GraphFiles.read(file));
    SessionOptions options = SessionOptions.defaults().withBackend(BackendChoice.ONEDNN);
    try (Session session = Session.local(read, options)) {
      return value(session, read.output(corner.name()));
    }
  }

  /** What two sessions at two servers made of one variable: 2. */
  public float cluster() throws IOException {
    ClusterSpec cluster = twoTasks();
    ChannelSecurity open = ChannelSecurity.none();
    return shared(cluster, List.of(open, open), open);
  }

  /** The same with certificates. */
  public float clusterWithTls() throws IOException {
    ClusterSpec cluster = twoTasks();
    CertificateFolder certificates =
        ClusterCertificates.make(
            Files.createDirectory(folder.resolve("certificates")),
            cluster,
            Clock.systemUTC(),
            Duration.ofDays(1));
    List<ChannelSecurity> ofTasks =
        cluster.tasks().stream()
            .map(task -> certificates.ofTask(task).withMutual())
            .map(files -> ChannelSecurity.none().withTls(files))
            .toList();
    return shared(cluster, ofTasks, ChannelSecurity.none().withTls(certificates.ofClient()));
  }

  private static ClusterSpec twoTasks() throws IOException {
    try (ServerSocket first = new ServerSocket(0);
        ServerSocket second = new ServerSocket(0)) {
      return ClusterSpec.of(Map.of("local", List.of(address(first), address(second))));
    }
  }

  private static String address(ServerSocket socket) {
    return "localhost:" + socket.getLocalPort();
  }

  private static float shared(
      ClusterSpec cluster, List<ChannelSecurity> ofTasks, ChannelSecurity ofClient) {
    Ops tf = Ops.create();
    Ops onFirst = tf.withDevice("/job:local/task:0");
    Ops onSecond = tf.withDevice("/job:local/task:1");
    Variable variable = onFirst.variable("variable", tf.constant(0f));
    Output one = onSecond.square(onSecond.constant(1f));
    var increment = variable.assignAdd(one);
    var init = tf.globalVariablesInitializer();
    SessionOptions options =
        SessionOptions.defaults()
            .withCluster(ClusterOptions.defaults().withSecurity(ofClient).withoutShortCut());
    try (Server first = start(cluster, 0, ofTasks.get(0));
        Server second = start(cluster, 1, ofTasks.get(1));
        Session atFirst = Session.open(first.target(), tf.graph(), options);
        Session atSecond = Session.open(second.target(), tf.graph(), options)) {
      atFirst.run(init);
      atFirst.run(increment);
      atSecond.run(increment);
      return value(atSecond, variable.value());
    }
  }

  private static Server start(ClusterSpec cluster, int task, ChannelSecurity security) {
    TaskName name = cluster.tasks().get(task);
    return Server.start(
        ServerOptions.of(cluster, name.job(), name.index())
            .withFastPaths(FastPaths.NONE)
            .withSecurity(security));
  }

  private static float value(Session session, Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).floatValue();
    }
  }
}
