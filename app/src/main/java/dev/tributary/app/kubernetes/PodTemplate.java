package dev.tributary.app.kubernetes;

import static dev.tributary.app.kubernetes.Yaml.map;

import dev.tributary.app.kubernetes.Training.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The pod of a task. All pods of a job are alike: the number of the task comes from an annotation.
 */
record PodTemplate(Training training, String job) {
  /** The name of the container, which rules about exit codes refer to. */
  static final String CONTAINER = "task";

  private static final String INDEX = "TASK_INDEX";
  private static final int USER = 65532;

  /** Read by the owner and the group, which is the pod's: 0440. */
  private static final int SECRET_MODE = 288;

  private static final int START_SECONDS = 120;

  Map<String, Object> toYaml() {
    Map<String, Object> labels = training.labels();
    labels.put("app.kubernetes.io/component", job);
    Map<String, Object> spec = map("subdomain", training.name());
    spec.put("restartPolicy", job.equals(Training.PS) ? "OnFailure" : "Never");
    spec.put("terminationGracePeriodSeconds", training.graceSeconds());
    spec.put("automountServiceAccountToken", false);
    spec.put("enableServiceLinks", false);
    spec.put(
        "securityContext",
        map(
            "runAsNonRoot", true,
            "runAsUser", USER,
            "runAsGroup", USER,
            "fsGroup", USER,
            "seccompProfile", map("type", "RuntimeDefault")));
    spec.put("containers", List.of(container()));
    List<Object> volumes = volumes();
    if (!volumes.isEmpty()) {
      spec.put("volumes", volumes);
    }
    return map("metadata", map("labels", labels), "spec", spec);
  }

  private Map<String, Object> container() {
    Map<String, Object> container = map("name", CONTAINER, "image", training.image());
    if (!training.arguments().isEmpty()) {
      container.put("args", training.arguments());
    }
    container.put("env", environment());
    List<Object> ports = new ArrayList<>();
    ports.add(map("name", "grpc", "containerPort", training.port()));
    training.httpPort().ifPresent(p -> ports.add(map("name", "http", "containerPort", p)));
    container.put("ports", ports);
    if (training.httpPort().isPresent()) {
      container.put("startupProbe", probe("/livez", 1, START_SECONDS));
      container.put("readinessProbe", probe("/readyz", 5, 1));
      container.put("livenessProbe", probe("/livez", 10, 6));
    }
    container.put("resources", training.resources(job).toYaml());
    container.put(
        "securityContext",
        map("allowPrivilegeEscalation", false, "capabilities", map("drop", List.of("ALL"))));
    List<Object> mounts = mounts();
    if (!mounts.isEmpty()) {
      container.put("volumeMounts", mounts);
    }
    return container;
  }

  /** The number comes first: Kubernetes replaces only variables that come before. */
  private List<Object> environment() {
    List<Object> variables = new ArrayList<>();
    variables.add(
        map(
            "name",
            INDEX,
            "valueFrom",
            map("fieldRef", map("fieldPath", training.layout().indexField()))));
    variables.add(
        map("name", "TF_CONFIG", "value", training.roles().tfConfig(job, "$(" + INDEX + ")")));
    training
        .resources(job)
        .environment()
        .forEach((name, value) -> variables.add(map("name", name, "value", value)));
    return variables;
  }

  private static Map<String, Object> probe(String path, int period, int failures) {
    return map(
        "httpGet", map("path", path, "port", "http"),
        "periodSeconds", period,
        "failureThreshold", failures);
  }

  private List<Object> mounts() {
    List<Object> mounts = new ArrayList<>();
    Secrets secrets = training.secrets();
    if (secrets.tls().isPresent()) {
      mounts.add(map("name", "tls", "mountPath", Secrets.TLS_FOLDER, "readOnly", true));
    }
    if (secrets.token().isPresent()) {
      mounts.add(map("name", "token", "mountPath", Secrets.TOKEN_FOLDER, "readOnly", true));
    }
    training.claims().forEach((claim, path) -> mounts.add(map("name", claim, "mountPath", path)));
    return mounts;
  }

  private List<Object> volumes() {
    List<Object> volumes = new ArrayList<>();
    training.secrets().tls().ifPresent(secret -> volumes.add(secret("tls", secret)));
    training.secrets().token().ifPresent(secret -> volumes.add(secret("token", secret)));
    training
        .claims()
        .forEach(
            (claim, path) ->
                volumes.add(map("name", claim, "persistentVolumeClaim", map("claimName", claim))));
    return volumes;
  }

  private static Map<String, Object> secret(String name, String secret) {
    return map("name", name, "secret", map("secretName", secret, "defaultMode", SECRET_MODE));
  }
}
