package dev.tributary.examples.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.examples.cluster.TaskServer;
import dev.tributary.testing.JavaProgram;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The programs of this package, each in processes of its own, which may leave no tensor open. */
@Tag("processes")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ReplicationExamplesTest {
  @Test
  void inGraph_twoWorkersThatOnlyServe_findTheLine() throws Exception {
    List<String> at = FreePorts.addresses(3);
    String cluster = cluster(at);
    try (JavaProgram ps = JavaProgram.startLeakChecked(TaskServer.class, cluster, "ps:0");
        JavaProgram workers =
            JavaProgram.startLeakChecked(TaskServer.class, cluster, "worker:0", "worker:1");
        JavaProgram client =
            JavaProgram.startLeakChecked(InGraphReplication.class, "grpc://" + at.get(1), "2")) {
      assertLine(client.awaitSuccess());
      ps.endInput().awaitSuccess();
      workers.endInput().awaitSuccess();
    }
  }

  @Test
  void betweenGraph_twoWorkers_findTheLine() throws Exception {
    String cluster = cluster(FreePorts.addresses(3));
    try (JavaProgram ps = JavaProgram.startLeakChecked(TaskServer.class, cluster, "ps:0");
        JavaProgram second =
            JavaProgram.startLeakChecked(BetweenGraphReplication.class, cluster, "1");
        JavaProgram chief =
            JavaProgram.startLeakChecked(BetweenGraphReplication.class, cluster, "0")) {
      assertLine(chief.awaitSuccess());
      assertLine(second.awaitSuccess());
      ps.endInput().awaitSuccess();
    }
  }

  private static void assertLine(List<String> lines) {
    assertThat(value(lines, "w = ")).isBetween(1.9, 2.1);
    assertThat(value(lines, "b = ")).isBetween(0.9, 1.1);
  }

  private static double value(List<String> lines, String prefix) {
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> Double.parseDouble(line.substring(prefix.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no '" + prefix + "' in " + lines));
  }

  private static String cluster(List<String> at) {
    return String.format(
        "{\"ps\": [\"%s\"], \"worker\": [\"%s\", \"%s\"]}", at.get(0), at.get(1), at.get(2));
  }
}
