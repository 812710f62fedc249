package dev.tributary.app.kubernetes;

import static dev.tributary.app.kubernetes.Yaml.map;

import dev.tributary.app.launch.RefusedConfiguration;
import java.util.List;
import java.util.Map;

/**
 * The specs of Jobs. A pod that fails is started again, but not one that would fail in the same
 * way; a pod that its node has lost does not count.
 */
record JobSpecs(Training training) {
  private static final int WRONG_COMMAND_LINE = 2;

  /** A Job with a pod for each task of a job of the cluster. */
  Map<String, Object> ofJob(String job, int tasks) {
    Map<String, Object> spec = pods(tasks);
    if (job.equals(Training.PS)) {
      // Its container starts again in the same pod, and so keeps its address.
      spec.put("backoffLimit", training.restarts() * tasks);
    } else {
      spec.put("backoffLimitPerIndex", training.restarts());
      spec.put("maxFailedIndexes", 0);
      spec.put("podFailurePolicy", failurePolicy());
    }
    spec.put("template", new PodTemplate(training, job).toYaml());
    return spec;
  }

  /** A Job with the pod of one task. */
  Map<String, Object> ofTask(String job) {
    Map<String, Object> spec = pods(1);
    spec.put("backoffLimit", training.restarts());
    if (!job.equals(Training.PS)) {
      spec.put("podFailurePolicy", failurePolicy());
    }
    spec.put("template", new PodTemplate(training, job).toYaml());
    return spec;
  }

  /** A new pod waits for the end of the one that it replaces: one task is never there twice. */
  private static Map<String, Object> pods(int number) {
    return map(
        "completionMode",
        "Indexed",
        "completions",
        number,
        "parallelism",
        number,
        "podReplacementPolicy",
        "Failed");
  }

  private static Map<String, Object> failurePolicy() {
    Map<String, Object> disruption =
        map(
            "action",
            "Ignore",
            "onPodConditions",
            List.of(map("type", "DisruptionTarget", "status", "True")));
    Map<String, Object> refusal =
        map(
            "action",
            "FailJob",
            "onExitCodes",
            map(
                "containerName",
                PodTemplate.CONTAINER,
                "operator",
                "In",
                "values",
                List.of(WRONG_COMMAND_LINE, RefusedConfiguration.EXIT_CODE)));
    return map("rules", List.of(disruption, refusal));
  }
}
