package dev.tributary.train.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Roles by {@code TF_CONFIG}, and what is wrong with one. */
class TfConfigTest {
  private static final String CLUSTER =
      "'cluster': {'chief': ['a:1'], 'ps': ['b:1', 'c:1'], 'worker': ['d:1', 'e:1']}";

  private static TfConfig parse(String json) {
    return TfConfig.parse(json.replace('\'', '"'));
  }

  private static TfConfig task(String type, int index) {
    return parse("{" + CLUSTER + ", 'task': {'type': '" + type + "', 'index': " + index + "}}");
  }

  @Test
  void task_ofEachRole_knowsItsPlace() {
    assertThat(task("chief", 0).isChief()).isTrue();
    assertThat(task("chief", 0).target()).isEqualTo("grpc://a:1");
    assertThat(task("worker", 1).isChief()).isFalse();
    assertThat(task("worker", 1).worker()).isEqualTo(2);
    assertThat(task("worker", 1).workers()).isEqualTo(3);
    assertThat(task("worker", 1).parameterServers()).isEqualTo(2);
    assertThat(task("worker", 1).deviceFilters()).containsExactly("/job:ps", "/job:worker/task:1");
    assertThat(task("ps", 1).isParameterServer()).isTrue();
    assertThat(task("evaluator", 0).isEvaluator()).isTrue();
    assertThat(task("evaluator", 0).target()).isEmpty();
  }

  @Test
  void local_withoutCluster_isChief() {
    TfConfig local = parse("{'model_dir': '/m', 'session_master': 'grpc://x:1'}");

    assertThat(local.isChief()).isTrue();
    assertThat(local.isLocal()).isTrue();
    assertThat(local.modelDir()).contains(Path.of("/m"));
    assertThat(local.target()).isEqualTo("grpc://x:1");
  }

  @Test
  void cluster_ofOneTask_needsNoServer() {
    assertThat(parse("{'cluster': {'chief': ['a:1']}, 'task': {'type': 'chief', 'index': 0}}"))
        .satisfies(config -> assertThat(config.target()).isEmpty());
  }

  @Test
  void cluster_withGaps_countsWorkers() {
    TfConfig config =
        parse(
            "{'cluster': {'master': ['a:1'], 'worker': {'3': 'b:1', '7': 'c:1'}},"
                + " 'task': {'type': 'worker', 'index': '7'}}");

    assertThat(config.worker()).isEqualTo(2);
    assertThat(config.target()).isEqualTo("grpc://c:1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'cluster'| it is not valid JSON",
        "[]| the value must be a JSON object, got []",
        "{'task': {'type': 'chief', 'index': 0}}| there is no 'cluster'",
        "{'task': {'type': 'worker', 'index': 1}}| there is no 'cluster'",
        "{'cluster': 3}| 'cluster' must be a JSON object, got 3",
        "{'cluster': {'chief': 'a:1'}}| job 'chief' must be a list of addresses, got \"a:1\"",
        "{'cluster': {'chief': [1]}}| job 'chief' must be a list of addresses like host:2222",
        "{'cluster': {'worker': {'x': 'a:1'}}}| must be a number from 0, got x",
        "{'cluster': {'worker': ['a:1']}, 'task': {'type': 'worker', 'index': 0}}| exactly one task"
            + " 'chief', got 0",
        "{'cluster': {'chief': ['a:1', 'b:1']}}| exactly one task 'chief', got 2",
        "{'cluster': {'chief': ['a:1'], 'master': ['b:1']}}| exactly one task 'chief', got 1 (and"
            + " 1",
        "{'cluster': {'chief': ['a:1'], 'evaluator': ['b:1']}}| not part of the cluster",
        "{'cluster': {'chief': ['a:1']}}| 'task' has no 'type'",
        "{'cluster': {'chief': ['a:1']}, 'task': {'type': 'chief'}}| 'task' has no 'index'",
        "{'cluster': {'chief': ['a:1']}, 'task': {'type': 'boss', 'index': 0}}| the task's type is"
            + " 'boss', but the cluster has the jobs [chief]",
        "{'cluster': {'chief': ['a:1']}, 'task': {'type': 'chief', 'index': 1}}| the task's index"
            + " is 1, but job 'chief' has the tasks [0]",
        "{'cluster': {'chief': ['a:1']}, 'task': {'type': 'chief', 'index': -1}}| must be a number"
            + " from 0, got -1",
        "{'cluster': {'chief': ['a:1']}, 'task': {'type': 'evaluator', 'index': 1}}| there is one"
            + " evaluator",
        "{'cluster': {'master': ['a:1']}, 'task': {'type': 'evaluator', 'index': 0}}| has no"
            + " evaluator"
      })
  void parse_wrongValue_saysWhatIsWrong(String json, String message) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("TF_CONFIG: ")
        .hasMessageContaining(message.strip());
  }
}
