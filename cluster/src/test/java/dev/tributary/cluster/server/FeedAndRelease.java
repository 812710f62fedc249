package dev.tributary.cluster.server;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program with a server and a client that feeds it a large value over the wire: it ends well if
 * the process is small again some time after the value was released.
 */
final class FeedAndRelease {
  private static final int LENGTH = 100_000_000 / Float.BYTES;
  private static final long LIMIT_SECONDS = 80;

  private FeedAndRelease() {}

  public static void main(String[] arguments) throws Exception {
    SessionOptions overTheWire =
        SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut());
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output sum = tf.sum(tf.neg(x));
    ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of("localhost:0")));
    try (Server server = Server.start(ServersForTest.options(cluster, new TaskName("local", 0)));
        Session session = Session.open(server.target(), tf.graph(), overTheWire)) {
      feed(session, x, sum, 1000);
      long before = resident();
      feed(session, x, sum, LENGTH);
      long largest = resident();
      long after = awaitSmall(before + (largest - before) / 4);
      System.out.printf(
          "resident: %d MB, %d MB after the feed, then %d MB%n",
          before >> 20, largest >> 20, after >> 20);
      System.exit(after <= before + (largest - before) / 4 ? 0 : 1);
    }
  }

  private static void feed(Session session, Output x, Output sum, int length) {
    try (Tensor value = Tensor.zeros(DataType.FLOAT, Shape.of(length))) {
      session.runner().feed(x, value).fetch(sum).run().close();
    }
  }

  /** Waits until the process has no more than this, for as long as it may take. */
  private static long awaitSmall(long bytes) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (resident() > bytes && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
    return resident();
  }

  private static long resident() throws Exception {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
