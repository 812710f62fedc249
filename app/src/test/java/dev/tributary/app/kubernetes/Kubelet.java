package dev.tributary.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.tributary.app.Main;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.testing.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Plays Kubernetes: runs the containers of Jobs as processes, with the environment and the host
 * names that their manifest says. Where pods have addresses of their own and the same port, these
 * have this machine's and different ports; mounts are folders that the caller gives.
 */
final class Kubelet implements AutoCloseable {
  private static final String INDEX = "batch.kubernetes.io/job-completion-index";

  private final List<JsonObject> jobs;
  private final Map<String, String> mounts;
  private final Map<String, String> addresses = new HashMap<>();
  private final Path hosts;
  private final Map<String, JavaProgram> pods = new LinkedHashMap<>();

  /**
   * @param mounts folders of this machine, by the path in the container
   */
  Kubelet(List<JsonObject> documents, Map<String, String> mounts, Path folder) throws IOException {
    this.jobs = documents.stream().filter(d -> d.get("kind").getAsString().equals("Job")).toList();
    this.mounts = mounts;
    List<String> names = new ArrayList<>();
    for (JsonObject job : jobs) {
      for (int i = 0; i < spec(job).get("completions").getAsInt(); i++) {
        names.add(podName(job, i) + "." + podSpec(job).get("subdomain").getAsString());
      }
    }
    List<String> ports = FreePorts.addresses(names.size());
    for (int i = 0; i < names.size(); i++) {
      String port = ports.get(i).substring(ports.get(i).indexOf(':'));
      addresses.put(names.get(i) + ":2222", names.get(i) + port);
    }
    this.hosts =
        Files.write(
            folder.resolve("hosts"),
            names.stream().map(name -> "127.0.0.1 " + name).collect(Collectors.toList()));
  }

  /** Starts the pods of all jobs. */
  void start() throws IOException {
    for (JsonObject job : jobs) {
      for (int i = 0; i < spec(job).get("completions").getAsInt(); i++) {
        pods.put(podName(job, i), run(job, i));
      }
    }
  }

  JavaProgram pod(String name) {
    return pods.get(name);
  }

  /** Kills a pod's container, and does what the Job says about its exit code. */
  void kill(String name) throws Exception {
    pods.get(name).handle().destroyForcibly();
    assertThat(ended(name)).as("starts again").isTrue();
  }

  /** Waits for the end of a pod; returns whether its Job starts it again, which is done then. */
  boolean ended(String name) throws Exception {
    int code = pods.get(name).awaitExitCode();
    JsonObject job =
        jobs.stream()
            .filter(each -> name.matches(jobName(each) + "-[0-9]+"))
            .findFirst()
            .orElseThrow();
    int index = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    if (code == 0 || isHopeless(job, code) || limit(job) == 0) {
      return false;
    }
    pods.put(name, run(job, index));
    return true;
  }

  private static boolean isHopeless(JsonObject job, int code) {
    JsonObject policy = spec(job).getAsJsonObject("podFailurePolicy");
    if (policy == null) {
      assertThat(podSpec(job).get("restartPolicy").getAsString()).isEqualTo("OnFailure");
      return false;
    }
    for (JsonElement rule : policy.getAsJsonArray("rules")) {
      JsonObject codes = rule.getAsJsonObject().getAsJsonObject("onExitCodes");
      if (codes != null) {
        for (JsonElement value : codes.getAsJsonArray("values")) {
          if (value.getAsInt() == code) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static int limit(JsonObject job) {
    JsonObject spec = spec(job);
    return spec.get(spec.has("backoffLimitPerIndex") ? "backoffLimitPerIndex" : "backoffLimit")
        .getAsInt();
  }

  private JavaProgram run(JsonObject job, int index) throws IOException {
    JsonObject container = podSpec(job).getAsJsonArray("containers").get(0).getAsJsonObject();
    Map<String, String> environment = environment(container, index);
    environment.put("JOB_COMPLETION_INDEX", Integer.toString(index));
    List<String> command = new ArrayList<>();
    command.addAll(List.of("-Djdk.net.hosts.file=" + hosts, "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    for (JsonElement argument : container.getAsJsonArray("args")) {
      command.add(mounted(expanded(argument.getAsString(), environment)));
    }
    return JavaProgram.start(command, variables -> variables.putAll(environment));
  }

  private Map<String, String> environment(JsonObject container, int index) {
    Map<String, String> environment = new LinkedHashMap<>();
    JsonArray variables = container.getAsJsonArray("env");
    for (JsonElement element : variables) {
      JsonObject variable = element.getAsJsonObject();
      String name = variable.get("name").getAsString();
      if (variable.has("value")) {
        String value = expanded(variable.get("value").getAsString(), environment);
        for (Map.Entry<String, String> address : addresses.entrySet()) {
          value = value.replace('"' + address.getKey() + '"', '"' + address.getValue() + '"');
        }
        environment.put(name, value);
      } else {
        assertThat(variable.toString()).contains("metadata.annotations['" + INDEX + "']");
        environment.put(name, Integer.toString(index));
      }
    }
    return environment;
  }

  /** Variables that come before are replaced, others stay: as Kubernetes does it. */
  private static String expanded(String text, Map<String, String> known) {
    String expanded = text;
    for (Map.Entry<String, String> variable : known.entrySet()) {
      expanded = expanded.replace("$(" + variable.getKey() + ")", variable.getValue());
    }
    return expanded;
  }

  private String mounted(String path) {
    String found = path;
    for (Map.Entry<String, String> mount : mounts.entrySet()) {
      found = found.replace(mount.getKey(), mount.getValue());
    }
    return found;
  }

  private static JsonObject spec(JsonObject job) {
    return job.getAsJsonObject("spec");
  }

  private static JsonObject podSpec(JsonObject job) {
    return spec(job).getAsJsonObject("template").getAsJsonObject("spec");
  }

  private static String jobName(JsonObject job) {
    return job.getAsJsonObject("metadata").get("name").getAsString();
  }

  private static String podName(JsonObject job, int index) {
    return jobName(job) + "-" + index;
  }

  @Override
  public void close() throws Exception {
    for (JavaProgram pod : pods.values()) {
      pod.close();
    }
  }
}
