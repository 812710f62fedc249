package dev.tributary.app.launch;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which task this process is from what its scheduler says, and logs what decided: {@code
 * TF_CONFIG}, Kubernetes' {@code JOB_COMPLETION_INDEX}, Slurm's {@code SLURM_PROCID}, or the number
 * at the end of the host name.
 *
 * @param cluster that the command line describes; otherwise {@code TF_CONFIG} must
 * @param job that the command line names
 */
record TaskSearch(Environment environment, Optional<ClusterSpec> cluster, Optional<String> job) {
  private static final Logger LOG = LoggerFactory.getLogger(TaskSearch.class);
  private static final String CONFIG = "TF_CONFIG";
  private static final String COMPLETION_INDEX = "JOB_COMPLETION_INDEX";
  private static final String PROCESS_ID = "SLURM_PROCID";
  private static final Pattern ORDINAL = Pattern.compile("[^.]*?-([0-9]{1,9})(\\..*)?");

  /** A task, and what says that this process is it. */
  private record Found(ClusterTask task, String source) {}

  /** The task; FAILED_PRECONDITION if nothing decides, or what decides is wrong. */
  ClusterTask find() {
    Found found =
        ofConfig()
            .or(() -> ofNumber(COMPLETION_INDEX))
            .or(this::ofProcessId)
            .or(this::ofHostName)
            .orElseThrow(this::undecided);
    LOG.info("{}, says {}", found.task().task(), found.source());
    return found.task();
  }

  private Optional<Found> ofConfig() {
    return environment
        .variable(CONFIG)
        .map(
            text -> {
              try {
                return new Found(ofConfig(text), CONFIG);
              } catch (TributaryException e) {
                throw TributaryException.failedPrecondition("%s: %s", CONFIG, e.getMessage());
              }
            });
  }

  private ClusterTask ofConfig(String text) {
    JsonObject config = object(text, "it");
    JsonObject task = object(config.get("task"), "\"task\"");
    String type = string(task, "type");
    int index = number(string(task, "index"));
    Optional<ClusterSpec> described =
        Optional.ofNullable(config.get("cluster"))
            .map(value -> ClusterSpec.parseJson(value.toString()));
    ClusterSpec all =
        cluster
            .or(() -> described)
            .orElseThrow(() -> TributaryException.invalidArgument("\"cluster\" is missing"));
    if (job.isPresent() && !job.get().equals(type)) {
      throw TributaryException.invalidArgument(
          "the task is of job '%s', but --job says '%s'", type, job.get());
    }
    return member(all, type, index);
  }

  private static JsonObject object(String json, String what) {
    try {
      return object(JsonParser.parseString(json), what);
    } catch (JsonParseException e) {
      throw TributaryException.invalidArgument("not valid JSON");
    }
  }

  private static JsonObject object(JsonElement value, String what) {
    if (value == null || !value.isJsonObject()) {
      throw TributaryException.invalidArgument(
          "%s is not an object; wanted {\"cluster\": {..}, \"task\": {\"type\": \"worker\","
              + " \"index\": 0}}",
          what);
    }
    return value.getAsJsonObject();
  }

  private static String string(JsonObject task, String name) {
    JsonElement value = task.get(name);
    if (value == null || !value.isJsonPrimitive()) {
      throw TributaryException.invalidArgument("\"task\" has no \"%s\"", name);
    }
    return value.getAsString();
  }

  private static int number(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw TributaryException.invalidArgument("'%s' is not the number of a task", text);
    }
    return Integer.parseInt(text);
  }

  private static ClusterTask member(ClusterSpec cluster, String job, int index) {
    TaskName task = new TaskName(job, index);
    if (!cluster.tasks().contains(task)) {
      throw TributaryException.invalidArgument(
          "the cluster has no task %s; it has %s", task, cluster.tasks());
    }
    return new ClusterTask(cluster, task);
  }

  private Optional<Found> ofNumber(String variable) {
    return environment.variable(variable).map(text -> numbered(variable, text));
  }

  /** Without a job, the processes of a Slurm step are all tasks of the cluster, in its order. */
  private Optional<Found> ofProcessId() {
    if (job.isPresent() || cluster.isEmpty()) {
      return ofNumber(PROCESS_ID);
    }
    return environment
        .variable(PROCESS_ID)
        .map(
            text -> {
              List<TaskName> tasks = List.copyOf(cluster.get().tasks());
              int process = checked(PROCESS_ID, text);
              if (process >= tasks.size()) {
                throw TributaryException.failedPrecondition(
                    "%s is %d, but the cluster has %d tasks", PROCESS_ID, process, tasks.size());
              }
              return new Found(new ClusterTask(cluster.get(), tasks.get(process)), PROCESS_ID);
            });
  }

  private Optional<Found> ofHostName() {
    String host = environment.hostName().get();
    Matcher ordinal = ORDINAL.matcher(host);
    return ordinal.matches()
        ? Optional.of(numbered("the host name " + host, ordinal.group(1)))
        : Optional.empty();
  }

  private Found numbered(String source, String number) {
    if (cluster.isEmpty() || job.isEmpty()) {
      throw TributaryException.failedPrecondition(
          "%s says that this is task %s, but of which job of which cluster? Give --job, and"
              + " --cluster or --ps_hosts and --worker_hosts, or set %s",
          source, number, CONFIG);
    }
    try {
      return new Found(member(cluster.get(), job.get(), checked(source, number)), source);
    } catch (TributaryException e) {
      throw TributaryException.failedPrecondition("%s: %s", source, e.getMessage());
    }
  }

  private static int checked(String source, String text) {
    try {
      return number(text);
    } catch (TributaryException e) {
      throw TributaryException.failedPrecondition("%s: %s", source, e.getMessage());
    }
  }

  private TributaryException undecided() {
    return TributaryException.failedPrecondition(
        "--task auto: nothing says which task this is: %s, %s and %s are not set, and the host name"
            + " %s has no number at its end; give --job and --task",
        CONFIG, COMPLETION_INDEX, PROCESS_ID, environment.hostName().get());
  }
}
