package dev.tributary.train.estimator;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import dev.tributary.error.TributaryException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The role of this process in a cluster, as the environment variable {@code TF_CONFIG} gives it: a
 * JSON object with the addresses of all tasks and the task of this process. Launchers and
 * schedulers set it, so that one program can be all roles. Immutable.
 *
 * <pre>{@code
 * {"cluster": {"chief": ["a:2222"], "worker": ["b:2222"], "ps": ["c:2222"]},
 *  "task": {"type": "worker", "index": 0}}
 * }</pre>
 *
 * @param cluster the addresses of all tasks by job and number; empty for a process on its own
 * @param type the job of this process
 * @param index its number there
 * @param master the target of sessions, if it is not this process's own server
 * @param modelDir the model's folder, if the environment sets it
 */
public record TfConfig(
    SortedMap<String, SortedMap<Integer, String>> cluster,
    String type,
    int index,
    Optional<String> master,
    Optional<Path> modelDir) {
  /** The environment variable. */
  public static final String VARIABLE = "TF_CONFIG";

  static final String CHIEF = "chief";
  static final String MASTER = "master";
  static final String WORKER = "worker";
  static final String PS = "ps";
  static final String EVALUATOR = "evaluator";

  public TfConfig {
    TreeMap<String, SortedMap<Integer, String>> copy = new TreeMap<>();
    cluster.forEach(
        (job, tasks) -> copy.put(job, Collections.unmodifiableSortedMap(new TreeMap<>(tasks))));
    cluster = Collections.unmodifiableSortedMap(copy);
  }

  /** Returns the role of a process on its own. */
  public static TfConfig local() {
    return new TfConfig(
        Collections.emptySortedMap(), WORKER, 0, Optional.empty(), Optional.empty());
  }

  /** Reads the environment variable; a process without it is on its own. */
  public static TfConfig fromEnvironment() {
    String json = System.getenv(VARIABLE);
    return json == null || json.isBlank() ? local() : parse(json);
  }

  /** Parses the variable's value. INVALID_ARGUMENT says which part is wrong and how. */
  public static TfConfig parse(String json) {
    JsonObject config = object("the value", read(json));
    SortedMap<String, SortedMap<Integer, String>> cluster =
        config.has("cluster")
            ? jobs(object("'cluster'", config.get("cluster")))
            : Collections.emptySortedMap();
    JsonObject task = config.has("task") ? object("'task'", config.get("task")) : new JsonObject();
    Optional<String> master = string(config, "session_master");
    Optional<Path> modelDir = string(config, "model_dir").map(Path::of);
    if (cluster.isEmpty()) {
      return alone(task, master, modelDir);
    }
    requireOneChief(cluster);
    String type = string(task, "type").orElseThrow(() -> wrong("'task' has no 'type'"));
    int index = index(task);
    requireMember(cluster, type, index);
    return new TfConfig(cluster, type, index, master, modelDir);
  }

  private static TfConfig alone(JsonObject task, Optional<String> master, Optional<Path> modelDir) {
    String type = string(task, "type").orElse(WORKER);
    int index = task.has("index") ? index(task) : 0;
    if (!type.equals(WORKER) || index != 0) {
      throw wrong(
          "there is no 'cluster', so the task must be worker 0, got %s %d; add the cluster's"
              + " addresses",
          type, index);
    }
    return new TfConfig(Collections.emptySortedMap(), type, index, master, modelDir);
  }

  private static JsonElement read(String json) {
    try {
      JsonReader reader = new JsonReader(new StringReader(json));
      reader.setStrictness(Strictness.STRICT);
      return JsonParser.parseReader(reader);
    } catch (JsonParseException e) {
      throw wrong("it is not valid JSON: %s", json);
    }
  }

  private static JsonObject object(String what, JsonElement element) {
    if (!element.isJsonObject()) {
      throw wrong("%s must be a JSON object, got %s", what, element);
    }
    return element.getAsJsonObject();
  }

  private static Optional<String> string(JsonObject object, String key) {
    if (!object.has(key)) {
      return Optional.empty();
    }
    JsonElement value = object.get(key);
    if (!value.isJsonPrimitive()
        || !value.getAsJsonPrimitive().isString()
        || value.getAsString().isEmpty()) {
      throw wrong("'%s' must be a string that is not empty, got %s", key, value);
    }
    return Optional.of(value.getAsString());
  }

  private static int index(JsonObject task) {
    if (!task.has("index")) {
      throw wrong("'task' has no 'index'");
    }
    return number("the task's index", task.get("index").toString().replace("\"", ""));
  }

  private static int number(String what, String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrong("%s must be a number from 0, got %s", what, text);
  }

  private static SortedMap<String, SortedMap<Integer, String>> jobs(JsonObject cluster) {
    SortedMap<String, SortedMap<Integer, String>> jobs = new TreeMap<>();
    for (Map.Entry<String, JsonElement> job : cluster.entrySet()) {
      SortedMap<Integer, String> tasks = tasks(job.getKey(), job.getValue());
      if (!tasks.isEmpty()) {
        jobs.put(job.getKey(), tasks);
      }
    }
    return jobs;
  }

  private static SortedMap<Integer, String> tasks(String job, JsonElement value) {
    SortedMap<Integer, String> tasks = new TreeMap<>();
    if (value.isJsonArray()) {
      value.getAsJsonArray().forEach(each -> tasks.put(tasks.size(), address(job, each)));
    } else if (value.isJsonObject()) {
      value
          .getAsJsonObject()
          .entrySet()
          .forEach(
              each ->
                  tasks.put(
                      number("a task's number in job '" + job + "'", each.getKey()),
                      address(job, each.getValue())));
    } else {
      throw wrong("job '%s' must be a list of addresses, got %s", job, value);
    }
    return tasks;
  }

  private static String address(String job, JsonElement value) {
    if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isString()) {
      throw wrong("job '%s' must be a list of addresses like host:2222, got %s", job, value);
    }
    return value.getAsString();
  }

  private static void requireOneChief(SortedMap<String, SortedMap<Integer, String>> cluster) {
    int chiefs = cluster.getOrDefault(CHIEF, Collections.emptySortedMap()).size();
    int masters = cluster.getOrDefault(MASTER, Collections.emptySortedMap()).size();
    if (chiefs + masters != 1) {
      throw wrong(
          "the cluster must have exactly one task '%s', got %d (and %d of '%s', its old name)",
          CHIEF, chiefs, masters, MASTER);
    }
    if (cluster.containsKey(EVALUATOR)) {
      throw wrong(
          "the evaluator is not part of the cluster; leave it out of 'cluster' and name it in"
              + " 'task' only");
    }
  }

  private static void requireMember(
      SortedMap<String, SortedMap<Integer, String>> cluster, String type, int index) {
    if (type.equals(EVALUATOR)) {
      if (cluster.containsKey(MASTER)) {
        throw wrong("a cluster with the old job '%s' has no evaluator", MASTER);
      }
      if (index != 0) {
        throw wrong("there is one evaluator, number 0, got %d", index);
      }
      return;
    }
    SortedMap<Integer, String> tasks = cluster.get(type);
    if (tasks == null) {
      throw wrong(
          "the task's type is '%s', but the cluster has the jobs %s, and there may be an '%s'",
          type, cluster.keySet(), EVALUATOR);
    }
    if (!tasks.containsKey(index)) {
      throw wrong(
          "the task's index is %d, but job '%s' has the tasks %s", index, type, tasks.keySet());
    }
  }

  private static TributaryException wrong(String format, Object... arguments) {
    return TributaryException.invalidArgument(
        "%s: %s", VARIABLE, String.format(Locale.ROOT, format, arguments));
  }

  /** Returns whether this process saves the model: the chief, or one on its own. */
  public boolean isChief() {
    return isLocal() || type.equals(CHIEF) || type.equals(MASTER);
  }

  /** Returns whether there is no cluster. */
  public boolean isLocal() {
    return cluster.isEmpty();
  }

  public boolean isEvaluator() {
    return type.equals(EVALUATOR);
  }

  public boolean isParameterServer() {
    return type.equals(PS);
  }

  public int parameterServers() {
    return size(PS);
  }

  /** Returns the number of tasks that train, the chief included. */
  public int workers() {
    return isLocal() ? 1 : size(WORKER) + size(CHIEF) + size(MASTER);
  }

  /** Returns the number of this task among those that train; the chief is 0. */
  public int worker() {
    return isChief() || !type.equals(WORKER) ? 0 : 1 + cluster.get(WORKER).headMap(index).size();
  }

  private int size(String job) {
    return cluster.getOrDefault(job, Collections.emptySortedMap()).size();
  }

  /** Returns the target of sessions that train: this process's own server, unless it is alone. */
  public String target() {
    int tasks = cluster.values().stream().mapToInt(Map::size).sum();
    boolean isAlone = tasks <= 1 || isEvaluator();
    return master.orElseGet(() -> isAlone ? "" : "grpc://" + cluster.get(type).get(index));
  }

  /** Returns the tasks that sessions of this one see, as parts of device names. */
  List<String> deviceFilters() {
    return switch (type) {
      case CHIEF, MASTER -> List.of("/job:ps", "/job:" + type);
      case WORKER -> isLocal() ? List.of() : List.of("/job:ps", "/job:worker/task:" + index);
      default -> List.of();
    };
  }

  /** Returns the device of this task. */
  String device() {
    return "/job:" + type + "/task:" + index;
  }
}
