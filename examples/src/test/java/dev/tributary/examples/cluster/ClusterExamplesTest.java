package dev.tributary.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.testing.JavaProgram;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The programs of this package, each in processes of its own, which may leave no tensor open. */
@Tag("processes")
@Timeout(300)
class ClusterExamplesTest {
  @Test
  void standalone_oneTask_computes() throws Exception {
    try (JavaProgram program =
        JavaProgram.startLeakChecked(StandaloneServer.class, FreePorts.addresses(1).get(0))) {
      assertThat(program.awaitSuccess()).contains("6 x 7 = 42.0");
    }
  }

  @Test
  void deviceScopes_fourProcesses_train() throws Exception {
    List<String> at = FreePorts.addresses(4);
    String cluster = cluster(at);
    try (JavaProgram ps0 = JavaProgram.startLeakChecked(TaskServer.class, cluster, "ps:0");
        JavaProgram ps1 = JavaProgram.startLeakChecked(TaskServer.class, cluster, "ps:1");
        JavaProgram worker0 = JavaProgram.startLeakChecked(TaskServer.class, cluster, "worker:0");
        JavaProgram worker1 = JavaProgram.startLeakChecked(TaskServer.class, cluster, "worker:1");
        JavaProgram client =
            JavaProgram.startLeakChecked(DeviceScopes.class, "grpc://" + at.get(3))) {
      assertTrained(client.awaitSuccess());
      for (JavaProgram server : List.of(ps0, ps1, worker0, worker1)) {
        server.endInput().awaitSuccess();
      }
    }
  }

  @Test
  void hybrid_parameterServersInOneProcess_train() throws Exception {
    List<String> at = FreePorts.addresses(4);
    String cluster = cluster(at);
    try (JavaProgram both =
            JavaProgram.startLeakChecked(TaskServer.class, cluster, "ps:0", "ps:1", "worker:0");
        JavaProgram worker = JavaProgram.startLeakChecked(TaskServer.class, cluster, "worker:1");
        JavaProgram client =
            JavaProgram.startLeakChecked(DeviceScopes.class, "grpc://" + at.get(3))) {
      assertTrained(client.awaitSuccess());
      both.endInput().awaitSuccess();
      worker.endInput().awaitSuccess();
    }
  }

  @Test
  void firstServer_secondIsLate_waitsForIt() throws Exception {
    List<String> at = FreePorts.addresses(2);
    String cluster = String.format("{\"local\": [\"%s\", \"%s\"]}", at.get(0), at.get(1));
    try (JavaProgram first =
        JavaProgram.startLeakChecked(FirstServer.class, at.get(0), at.get(1))) {
      // Ten seconds after it began to wait, the master names whom it waits for.
      first.awaitLine("running no-op...").awaitLine("/job:local/replica:0/task:1");
      try (JavaProgram second =
          JavaProgram.startLeakChecked(TaskServer.class, cluster, "local:1")) {
        assertThat(first.awaitSuccess()).contains("First server: no-op run!");
        second.endInput().awaitSuccess();
      }
    }
  }

  @Test
  void sharedVariable_twoServers_isOne() throws Exception {
    List<String> at = FreePorts.addresses(2);
    String cluster = String.format("{\"local\": [\"%s\", \"%s\"]}", at.get(0), at.get(1));
    try (JavaProgram first = JavaProgram.startLeakChecked(TaskServer.class, cluster, "local:0");
        JavaProgram second = JavaProgram.startLeakChecked(TaskServer.class, cluster, "local:1");
        JavaProgram client =
            JavaProgram.startLeakChecked(
                SharedVariable.class, "grpc://" + at.get(0), "grpc://" + at.get(1))) {
      assertThat(client.awaitSuccess())
          .containsSubsequence(
              "Value in first session: 0.0",
              "Value in second session: 0.0",
              "Incremented in first session",
              "Value in first session: 1.0",
              "Value in second session: 1.0");
      first.endInput().awaitSuccess();
      second.endInput().awaitSuccess();
    }
  }

  private static void assertTrained(List<String> lines) {
    float before = loss(lines, "loss before: ");
    assertThat(loss(lines, "loss after 100 steps: ")).isLessThan(before / 2);
  }

  private static float loss(List<String> lines, String prefix) {
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> Float.parseFloat(line.substring(prefix.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no '" + prefix + "' in " + lines));
  }

  private static String cluster(List<String> at) {
    return String.format(
        "{\"ps\": [\"%s\", \"%s\"], \"worker\": [\"%s\", \"%s\"]}",
        at.get(0), at.get(1), at.get(2), at.get(3));
  }
}
