package dev.tributary.app.run;

import dev.tributary.app.launch.Program;
import dev.tributary.app.launch.Roles;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The addresses of tasks, and the way to start a program as each of them.
 *
 * @param starter makes a command of this machine from a task and the program's command
 */
record Placement(Roles roles, BiFunction<TaskName, List<String>, Program> starter) {
  private static final int LAST_PORT = 65_535;

  /** All tasks on this machine, at free ports. */
  static Placement here(List<TaskName> cluster, boolean hasEvaluator) {
    Iterator<String> addresses = FreePorts.addresses(cluster.size()).iterator();
    Roles roles = Roles.at(cluster, hasEvaluator, task -> addresses.next());
    return new Placement(
        roles, (task, command) -> new Program(command, environment(roles, task), true));
  }

  /**
   * Tasks on other machines.
   *
   * @param port of the first task on each machine
   */
  static Placement onHosts(
      Hosts hosts, Ssh ssh, List<TaskName> cluster, boolean hasEvaluator, int port) {
    List<TaskName> all = Roles.at(cluster, hasEvaluator, task -> "").tasks();
    Map<TaskName, Hosts.Host> assigned = hosts.assign(all);
    Map<Hosts.Host, Integer> ports = new HashMap<>();
    Roles roles =
        Roles.at(
            cluster,
            hasEvaluator,
            task -> {
              Hosts.Host host = assigned.get(task);
              int next = ports.merge(host, 1, Integer::sum) - 1 + port;
              if (next > LAST_PORT) {
                throw TributaryException.invalidArgument(
                    "--port %d: %s has no ports left above it", port, host.name());
              }
              return host.name() + ":" + next;
            });
    return new Placement(
        roles,
        (task, command) ->
            new Program(
                ssh.command(assigned.get(task), environment(roles, task), command),
                Map.of(),
                true));
  }

  Program program(TaskName task, List<String> command) {
    return starter.apply(task, command);
  }

  private static Map<String, String> environment(Roles roles, TaskName task) {
    return Map.of("TF_CONFIG", roles.tfConfig(task));
  }
}
