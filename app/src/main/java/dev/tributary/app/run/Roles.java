package dev.tributary.app.run;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tasks of a cluster, each with its {@code TF_CONFIG}. The evaluator is a task, but not part of
 * the cluster.
 *
 * @param addresses of the tasks of the cluster, parameter servers first
 * @param hasEvaluator whether there is one beside the cluster
 */
record Roles(Map<TaskName, String> addresses, boolean hasEvaluator) {
  private static final String PS = "ps";
  private static final String CHIEF = "chief";
  private static final String WORKER = "worker";
  private static final TaskName EVALUATOR = new TaskName("evaluator", 0);

  /**
   * Roles at free ports of this machine.
   *
   * @param workers with the chief, if there is one
   */
  static Roles local(int parameterServers, int workers, boolean hasChief, boolean hasEvaluator) {
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
    List<String> ports = FreePorts.addresses(tasks.size());
    Map<TaskName, String> addresses = new LinkedHashMap<>();
    for (int i = 0; i < tasks.size(); i++) {
      addresses.put(tasks.get(i), ports.get(i));
    }
    return new Roles(addresses, hasEvaluator);
  }

  /** All tasks, in the order in which they are started and shown. */
  List<TaskName> tasks() {
    List<TaskName> tasks = new ArrayList<>(addresses.keySet());
    if (hasEvaluator) {
      tasks.add(EVALUATOR);
    }
    return tasks;
  }

  /** Returns whether a task runs until it is stopped, so that nobody waits for its end. */
  boolean runsForEver(TaskName task) {
    boolean isOnlyServers = addresses.keySet().stream().allMatch(each -> each.job().equals(PS));
    return task.job().equals(PS) && !isOnlyServers;
  }

  /** The value of {@code TF_CONFIG} for a task. */
  String tfConfig(TaskName task) {
    JsonObject cluster = new JsonObject();
    addresses.forEach(
        (each, address) -> {
          if (!cluster.has(each.job())) {
            cluster.add(each.job(), new JsonArray());
          }
          cluster.getAsJsonArray(each.job()).add(address);
        });
    JsonObject self = new JsonObject();
    self.addProperty("type", task.job());
    self.addProperty("index", task.index());
    JsonObject config = new JsonObject();
    config.add("cluster", cluster);
    config.add("task", self);
    return config.toString();
  }
}
