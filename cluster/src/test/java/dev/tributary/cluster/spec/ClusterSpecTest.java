package dev.tributary.cluster.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.JobDef;

class ClusterSpecTest {
  private static final ClusterSpec SPARSE =
      ClusterSpec.ofSparse(
          Map.of("worker", Map.of(0, "wk0:2222", 10, "[::1]:2223"), "ps", Map.of(0, "ps0:2222")));

  @Test
  void tasks_sparseJobs_comeInOrder() {
    assertThat(SPARSE.tasks())
        .containsExactly(
            new TaskName("ps", 0), new TaskName("worker", 0), new TaskName("worker", 10));
    assertThat(SPARSE.address(new TaskName("worker", 10))).isEqualTo("[::1]:2223");
  }

  @Test
  void json_sparseAndDenseJobs_areReadBack() {
    assertThat(SPARSE.toJson())
        .isEqualTo("{\"ps\":[\"ps0:2222\"],\"worker\":{\"0\":\"wk0:2222\",\"10\":\"[::1]:2223\"}}");
    assertThat(ClusterSpec.parseJson(SPARSE.toJson())).isEqualTo(SPARSE).hasSameHashCodeAs(SPARSE);
  }

  @Test
  void proto_sparseJobs_areReadBack() {
    assertThat(ClusterSpec.fromProto(SPARSE.toProto())).isEqualTo(SPARSE);
  }

  @Test
  void of_listsOfAddresses_numbersTasks() {
    ClusterSpec listed = ClusterSpec.of(Map.of("worker", List.of("a:1", "b:1")));

    assertThat(listed).isEqualTo(ClusterSpec.parseJson("{\"worker\": [\"a:1\", \"b:1\"]}"));
    assertThat(listed).isNotEqualTo(ClusterSpec.parseJson("{\"worker\": [\"b:1\", \"a:1\"]}"));
  }

  @Test
  void of_portZero_mayBeShared() {
    assertThat(ClusterSpec.of(Map.of("a", List.of("localhost:0", "localhost:0"))).tasks())
        .hasSize(2);
  }

  @Test
  void address_unknownTask_listsKnownOnes() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> SPARSE.address(new TaskName("worker", 1)))
        .withMessageContaining("/job:worker/replica:0/task:10")
        .matches(e -> e.code() == ErrorCode.NOT_FOUND);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|at least one task",
        "{\"ps\": []}|at least one task",
        "|malformed cluster",
        "[]|malformed cluster",
        "{\"ps\": 1}|malformed cluster",
        "{\"ps\": [1, [2]]}|malformed cluster",
        "{\"ps\": [\"h:1\"]} {}|malformed cluster",
        "{ps: [\"h:1\"]}|malformed cluster",
        "{\"ps\": [\"h:1\"]|malformed cluster",
        "{\"p-s\": [\"h:1\"]}|a job's name must be",
        "{\"1ps\": [\"h:1\"]}|a job's name must be",
        "{\"ps\": {\"-1\": \"h:1\"}}|must be 0 or more, got -1",
        "{\"ps\": {\"one\": \"h:1\"}}|must be a whole number, got 'one'",
        "{\"ps\": {\"0\": \"h:1\", \"0\": \"h:2\"}}|task 0 of job 'ps' is defined twice",
        "{\"ps\": [\"h:1\"], \"ps\": [\"h:2\"]}|job 'ps' is defined twice",
        "{\"ps\": [\"h:1\"], \"worker\": [\"h:1\"]}|have the same address h:1",
        "{\"ps\": [\"h\"]}|/job:ps/replica:0/task:0: malformed address 'h'",
        "{\"ps\": [\"h:65536\"]}|malformed address",
        "{\"ps\": [\"grpc://h:1\"]}|malformed address",
        "{\"ps\": [\"h:1,h:2\"]}|malformed address",
        "{\"ps\": [\":1\"]}|malformed address",
      })
  void parseJson_malformed_isRefused(String json, String message) {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> ClusterSpec.parseJson(json == null ? "" : json))
        .withMessageContaining(message)
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void fromProto_jobTwice_isRefused() {
    ClusterDef twice =
        ClusterDef.newBuilder()
            .addJob(JobDef.newBuilder().setName("ps").putTasks(0, "h:1"))
            .addJob(JobDef.newBuilder().setName("ps").putTasks(1, "h:2"))
            .build();

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> ClusterSpec.fromProto(twice))
        .withMessageContaining("defined twice");
  }

  @Test
  void isLoopback_namesAndAddresses_areToldApart() {
    assertThat(HostAndPort.parse("localhost:1").isLoopback()).isTrue();
    assertThat(HostAndPort.parse("127.0.1.1:1").isLoopback()).isTrue();
    assertThat(HostAndPort.parse("[::1]:1").isLoopback()).isTrue();
    assertThat(HostAndPort.parse("0.0.0.0:1").isLoopback()).isFalse();
    assertThat(HostAndPort.parse("127.example.com:1").isLoopback()).isFalse();
  }

  @Test
  void tasksOnHost_ofOneJob_areThoseWhoseAddressSaysSo() {
    ClusterSpec cluster =
        ClusterSpec.of(
            Map.of(
                "ps", List.of("a:1"),
                "worker", List.of("a:2", "b:1", "a:3", "localhost:1", "127.0.0.1:2")));

    assertThat(cluster.tasksOnHostOf(new TaskName("ps", 0))).isEqualTo(1);
    assertThat(cluster.tasksOnHostOf(new TaskName("worker", 0))).isEqualTo(2);
    assertThat(cluster.tasksOnHostOf(new TaskName("worker", 1))).isEqualTo(1);
    assertThat(cluster.tasksOnHostOf(new TaskName("worker", 3))).isEqualTo(2);
  }
}
