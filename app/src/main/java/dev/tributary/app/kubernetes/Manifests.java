package dev.tributary.app.kubernetes;

import static dev.tributary.app.kubernetes.Yaml.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The documents of a training, in the order in which Kubernetes should get them.
 *
 * @param hasPodMonitor whether Prometheus' operator is to find the metrics
 * @param protectsServers whether parameter servers keep their nodes until the end
 */
record Manifests(Training training, boolean hasPodMonitor, boolean protectsServers) {
  List<Map<String, Object>> documents() {
    List<Map<String, Object>> documents = new ArrayList<>();
    JobSpecs specs = new JobSpecs(training);
    if (training.layout() == Layout.JOBS) {
      documents.add(service());
      training
          .roles()
          .jobs()
          .forEach(
              (job, tasks) ->
                  documents.add(document("batch/v1", "Job", "-" + job, specs.ofJob(job, tasks))));
    } else {
      documents.add(jobSet(specs));
    }
    if (protectsServers) {
      documents.add(disruptionBudget());
    }
    if (hasPodMonitor) {
      documents.add(podMonitor());
    }
    return documents;
  }

  /** All documents as one text. */
  String text() {
    return header() + documents().stream().map(Yaml::text).collect(Collectors.joining("---\n"));
  }

  /** A kustomization of the file that has the documents. */
  String kustomization(String file) {
    return Yaml.text(
        map(
            "apiVersion", "kustomize.config.k8s.io/v1beta1",
            "kind", "Kustomization",
            "resources", List.of(file)));
  }

  private String header() {
    StringBuilder header = new StringBuilder();
    if (training.secrets().isEmpty()) {
      header.append("# Tasks have no secrets here: they refuse to listen unless their command\n");
      header.append("# line accepts that (--insecure). See --mutual-tls-secret, --token-secret.\n");
    }
    training
        .secrets()
        .tls()
        .ifPresent(
            secret ->
                header
                    .append("# Secret " + secret + " has the files of 'tributary certs DIR")
                    .append(" --cluster JSON' but ca-key.pem, where JSON is\n# ")
                    .append(training.roles().cluster())
                    .append("\n"));
    if (protectsServers) {
      header.append("# The PodDisruptionBudget keeps nodes with parameter servers from being\n");
      header.append("# drained until the training ends.\n");
    }
    return header.toString();
  }

  private Map<String, Object> document(
      String version, String kind, String suffix, Map<String, Object> spec) {
    return map(
        "apiVersion",
        version,
        "kind",
        kind,
        "metadata",
        map("name", training.name() + suffix, "labels", training.labels()),
        "spec",
        spec);
  }

  /** Gives the pods their names, also before they are ready: they look for each other. */
  private Map<String, Object> service() {
    List<Object> ports = new ArrayList<>();
    ports.add(map("name", "grpc", "port", training.port(), "appProtocol", "grpc"));
    training.httpPort().ifPresent(port -> ports.add(map("name", "http", "port", port)));
    return document(
        "v1",
        "Service",
        "",
        map(
            "clusterIP",
            "None",
            "publishNotReadyAddresses",
            true,
            "selector",
            training.labels(),
            "ports",
            ports));
  }

  /** Done when all but the parameter servers are; the rest is deleted then. */
  private Map<String, Object> jobSet(JobSpecs specs) {
    Map<String, Integer> jobs = training.roles().jobs();
    List<String> awaited = jobs.keySet().stream().filter(job -> !job.equals(Training.PS)).toList();
    List<Object> replicated = new ArrayList<>();
    jobs.forEach(
        (job, tasks) ->
            replicated.add(
                map("name", job, "replicas", tasks, "template", map("spec", specs.ofTask(job)))));
    Map<String, Object> spec =
        map(
            "network",
            map(
                "enableDNSHostnames", true,
                "publishNotReadyAddresses", true,
                "subdomain", training.name()));
    if (!awaited.isEmpty()) {
      spec.put("successPolicy", map("operator", "All", "targetReplicatedJobs", awaited));
    }
    // Jobs start their pods again by themselves; one that gives up ends all.
    spec.put("failurePolicy", map("maxRestarts", 0));
    spec.put("replicatedJobs", replicated);
    return document("jobset.x-k8s.io/v1alpha2", "JobSet", "", spec);
  }

  private Map<String, Object> disruptionBudget() {
    Map<String, Object> labels = training.labels();
    labels.put("app.kubernetes.io/component", Training.PS);
    return document(
        "policy/v1",
        "PodDisruptionBudget",
        "-" + Training.PS,
        map(
            "minAvailable",
            training.roles().jobs().getOrDefault(Training.PS, 0),
            "selector",
            map("matchLabels", labels)));
  }

  private Map<String, Object> podMonitor() {
    return document(
        "monitoring.coreos.com/v1",
        "PodMonitor",
        "",
        map(
            "selector",
            map("matchLabels", training.labels()),
            "podMetricsEndpoints",
            List.of(map("port", "http", "path", "/metrics"))));
  }
}
