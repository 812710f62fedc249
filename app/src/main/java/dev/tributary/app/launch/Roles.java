package dev.tributary.app.launch;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The tasks of a cluster, each with its {@code TF_CONFIG}. The evaluator is a task, but not part of
 * the cluster.
 *
 * @param addresses of the tasks of the cluster, parameter servers first
 * @param hasEvaluator whether there is one beside the cluster
 */
public record Roles(Map<TaskName, String> addresses, boolean hasEvaluator) {
  private static final String PS = "ps";
  private static final String CHIEF = "chief";
  private static final String WORKER = "worker";
  private static final TaskName EVALUATOR = new TaskName("evaluator", 0);

  /** Roles whose tasks have these addresses. */
  public static Roles at(
      List<TaskName> tasks, boolean hasEvaluator, Function<TaskName, String> address) {
    Map<TaskName, String> addresses = new LinkedHashMap<>();
    tasks.forEach(task -> addresses.put(task, address.apply(task)));
    return new Roles(addresses, hasEvaluator);
  }

  /**
   * The tasks of a cluster, parameter servers first.
   *
   * @param workers with the chief, if there is one
   */
  public static List<TaskName> ofCluster(int parameterServers, int workers, boolean hasChief) {
    List<TaskName> tasks = new ArrayList<>();
    for (int i = 0; i < parameterServers; i++) {
      tasks.add(new TaskName(PS, i));
    }
    for (int i = 0; i < workers; i++) {
      boolean isChief = hasChief && i == 0;
      tasks.add(isChief ? new TaskName(CHIEF, 0) : new TaskName(WORKER, hasChief ? i - 1 : i));
    }
    if (tasks.isEmpty()) {
      throw TributaryException.invalidArgument("a cluster needs a task: give --workers or --ps");
    }
    return tasks;
  }

  /** All tasks, in the order in which they are started and shown. */
  public List<TaskName> tasks() {
    List<TaskName> tasks = new ArrayList<>(addresses.keySet());
    if (hasEvaluator) {
      tasks.add(EVALUATOR);
    }
    return tasks;
  }

  /** The number of tasks of each job, the evaluator among them. */
  public Map<String, Integer> jobs() {
    Map<String, Integer> jobs = new LinkedHashMap<>();
    tasks().forEach(task -> jobs.merge(task.job(), 1, Integer::sum));
    return jobs;
  }

  /** Returns whether a task runs until it is stopped, so that nobody waits for its end. */
  public boolean runsForEver(TaskName task) {
    boolean isOnlyServers = addresses.keySet().stream().allMatch(each -> each.job().equals(PS));
    return task.job().equals(PS) && !isOnlyServers;
  }

  /** The value of {@code TF_CONFIG} for a task. */
  public String tfConfig(TaskName task) {
    return tfConfig(task.job(), Integer.toString(task.index()));
  }

  /**
   * The value of {@code TF_CONFIG} for any task of a job.
   *
   * @param index that the reader replaces by the number of the task
   */
  public String tfConfig(String job, String index) {
    return "{\"cluster\":"
        + cluster()
        + ",\"task\":{\"type\":"
        + new JsonPrimitive(job)
        + ",\"index\":"
        + index
        + "}}";
  }

  /** The addresses of all jobs, as JSON. */
  public String cluster() {
    JsonObject cluster = new JsonObject();
    addresses.forEach(
        (each, address) -> {
          if (!cluster.has(each.job())) {
            cluster.add(each.job(), new JsonArray());
          }
          cluster.getAsJsonArray(each.job()).add(address);
        });
    return cluster.toString();
  }
}
