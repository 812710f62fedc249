package dev.tributary.app.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskSearchTest {
  private static final String CLUSTER =
      "{\"ps\": [\"p0:1\", \"p1:1\"], \"worker\": [\"w0:1\", \"w1:1\", \"w2:1\"]}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          JOB_COMPLETION_INDEX=1                  | worker | other  | worker 1
          JOB_COMPLETION_INDEX=1;SLURM_PROCID=2   | worker | host-0 | worker 1
          SLURM_PROCID=2                          | worker | host-0 | worker 2
          SLURM_PROCID=3                          |        | host-0 | worker 1
          SLURM_PROCID=1                          |        | host-0 | ps 1
          OTHER=1                                 | ps     | a-ps-1 | ps 1
          OTHER=1                                 | ps     | a-1.b-0.c | ps 1
          """)
  void find_variablesOrHostName_decideInTheirOrder(
      String variables, String job, String host, String expected) {
    ClusterTask found =
        search(variables, host, Optional.of(ClusterSpec.parseJson(CLUSTER)), job).find();

    assertThat(found.task().job() + " " + found.task().index()).isEqualTo(expected);
  }

  @Test
  void find_config_comesFirstAndBringsTheCluster() {
    String config =
        "{\"cluster\": " + CLUSTER + ", \"task\": {\"type\": \"worker\", \"index\": 2}}";
    Environment environment =
        new Environment(
            Map.of("TF_CONFIG", config, "JOB_COMPLETION_INDEX", "0", "SLURM_PROCID", "0"),
            () -> "host-0");

    ClusterTask found = new TaskSearch(environment, Optional.empty(), Optional.empty()).find();

    assertThat(found.task()).isEqualTo(new TaskName("worker", 2));
    assertThat(found.cluster()).isEqualTo(ClusterSpec.parseJson(CLUSTER));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [1                                          | TF_CONFIG: not valid JSON
          {}                                          | "task" is not an object
          {"task": {}}                                | "task" has no "type"
          {"task": {"type": "ps", "index": -1}}       | '-1' is not the number of a task
          {"task": {"type": "ps", "index": 0}}        | "cluster" is missing
          {"cluster": [], "task": {"type": "ps", "index": 0}} | TF_CONFIG
          {"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 1}} | no task /job:ps/replica:0/task:1
          {"cluster": {"ps": ["a:1"]}, "task": {"type": "evaluator", "index": 0}} | no task /job:evaluator
          """)
  void find_wrongConfig_isRefused(String config, String message) {
    Environment environment = new Environment(Map.of("TF_CONFIG", config), () -> "host");

    assertRefused(new TaskSearch(environment, Optional.empty(), Optional.empty()), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          JOB_COMPLETION_INDEX=3 | worker | host   | the cluster has no task /job:worker/replica:0/task:3
          JOB_COMPLETION_INDEX=x | worker | host   | JOB_COMPLETION_INDEX: 'x' is not the number
          JOB_COMPLETION_INDEX=0 |        | host   | of which job
          SLURM_PROCID=5         |        | host   | SLURM_PROCID is 5, but the cluster has 5 tasks
          OTHER=1                | worker | host   | nothing says which task this is
          OTHER=1                | worker | host-9 | the host name host-9
          """)
  void find_nothingThatFits_isRefused(String variables, String job, String host, String message) {
    assertRefused(
        search(variables, host, Optional.of(ClusterSpec.parseJson(CLUSTER)), job), message);
  }

  private static void assertRefused(TaskSearch search, String message) {
    assertThatThrownBy(search::find)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
        .hasMessageContaining(message);
  }

  private static TaskSearch search(
      String variables, String host, Optional<ClusterSpec> cluster, String job) {
    Map<String, String> parsed = new HashMap<>();
    for (String variable : variables.split(";")) {
      parsed.put(variable.split("=")[0], variable.split("=")[1]);
    }
    return new TaskSearch(new Environment(parsed, () -> host), cluster, Optional.ofNullable(job));
  }
}
