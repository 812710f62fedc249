package dev.tributary.app.kubernetes;

import dev.tributary.app.launch.Roles;
import dev.tributary.cluster.spec.TaskName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A training to run in Kubernetes: an image as all tasks of a cluster.
 *
 * @param name of the Service or JobSet, and the beginning of the names of jobs and pods
 * @param arguments for the image's entry point
 * @param port at which the tasks find each other
 * @param httpPort for probes and metrics; empty if the program has none
 * @param servers resources of parameter servers
 * @param others resources of the other tasks
 * @param claims folders of PersistentVolumeClaims, by claim
 * @param restarts how often a task that fails is started again
 * @param graceSeconds from the TERM signal to the end by force
 */
record Training(
    String name,
    String image,
    List<String> arguments,
    Layout layout,
    List<TaskName> tasks,
    boolean hasEvaluator,
    int port,
    Optional<Integer> httpPort,
    Resources servers,
    Resources others,
    Secrets secrets,
    Map<String, String> claims,
    int restarts,
    int graceSeconds) {
  static final String PS = "ps";

  /** The folders of secrets, by what is in them. */
  record Secrets(Optional<String> tls, Optional<String> token) {
    static final String TLS_FOLDER = "/etc/tributary/tls";
    static final String TOKEN_FOLDER = "/etc/tributary/token";

    boolean isEmpty() {
      return tls.isEmpty() && token.isEmpty();
    }
  }

  Roles roles() {
    return Roles.at(tasks, hasEvaluator, task -> layout.host(name, task) + "." + name + ":" + port);
  }

  Resources resources(String job) {
    return job.equals(PS) ? servers : others;
  }

  /** Labels that all pods have, and nothing else. */
  Map<String, Object> labels() {
    return Yaml.map("app.kubernetes.io/name", name, "app.kubernetes.io/managed-by", "tributary");
  }
}
