package dev.tributary.cluster.chaos;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One master, two parameter servers and three workers, each in a process of its own that the others
 * reach through a proxy. Confined to one thread at a time.
 */
final class ChaosCluster implements AutoCloseable {
  static final TaskName MASTER = new TaskName("master", 0);
  static final int PARAMETER_SERVERS = 2;
  static final int WORKERS = 3;
  private static final Duration SLOW = Duration.ofMillis(20);

  private final Duration silence;
  private final FastPaths paths;
  private final String host;
  private final Map<TaskName, Integer> ports = new TreeMap<>();
  private final Map<TaskName, ChaosProxy> proxies = new TreeMap<>();
  private final Map<TaskName, ChaosProxy> streamProxies = new TreeMap<>();
  private final Map<TaskName, TaskInProcess> processes = new TreeMap<>();

  private static final String TASKS = "127.0.0.1";

  /** The place where the network to the tasks begins; their stream ports are the same there. */
  private static final String NETWORK = "127.0.0.2";

  /**
   * @param silence after which the tasks give each other up
   * @param paths {@link FastPaths#ALL} go past the proxies as well
   */
  ChaosCluster(Duration silence, FastPaths paths) throws Exception {
    this.silence = silence;
    this.paths = paths;
    this.host = paths == FastPaths.NETWORK ? NETWORK : TASKS;
    List<TaskName> tasks = new ArrayList<>(List.of(MASTER));
    for (int i = 0; i < PARAMETER_SERVERS; i++) {
      tasks.add(ps(i));
    }
    for (int i = 0; i < WORKERS; i++) {
      tasks.add(worker(i));
    }
    List<String> addresses = FreePorts.addresses(2 * tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      int port = port(addresses.get(i));
      ports.put(tasks.get(i), port);
      proxies.put(tasks.get(i), new ChaosProxy(port, host, 0));
      if (paths == FastPaths.NETWORK) {
        int streamPort = port(addresses.get(tasks.size() + i));
        streamProxies.put(tasks.get(i), new ChaosProxy(streamPort, host, streamPort));
      }
    }
    for (TaskName task : tasks) {
      start(task);
    }
    for (TaskInProcess process : processes.values()) {
      process.awaitReady();
    }
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  static TaskName ps(int number) {
    return new TaskName("ps", number);
  }

  static TaskName worker(int number) {
    return new TaskName("worker", number);
  }

  List<TaskName> tasks() {
    return List.copyOf(ports.keySet());
  }

  /** Where clients reach a task. */
  String target(TaskName task) {
    return "grpc://" + address(task);
  }

  String address(TaskName task) {
    return host + ":" + proxies.get(task).port();
  }

  void inflict(Fault fault, TaskName victim) throws Exception {
    switch (fault) {
      case KILL -> processes.get(victim).kill();
      case RESTART -> restart(victim);
      case FREEZE -> processes.get(victim).freeze();
      case CUT -> proxiesOf(victim).forEach(ChaosProxy::cut);
      case DELAY -> proxiesOf(victim).forEach(proxy -> proxy.delay(SLOW));
    }
  }

  /** Undoes what was inflicted; the task serves again. */
  void heal(Fault fault, TaskName victim) throws Exception {
    switch (fault) {
      case KILL -> restart(victim);
      case RESTART -> {}
      case FREEZE -> processes.get(victim).resume();
      case CUT, DELAY -> proxiesOf(victim).forEach(ChaosProxy::heal);
    }
  }

  private Stream<ChaosProxy> proxiesOf(TaskName task) {
    return Stream.of(proxies, streamProxies).map(all -> all.get(task)).filter(Objects::nonNull);
  }

  @Override
  public void close() throws Exception {
    for (TaskInProcess process : processes.values()) {
      process.close();
    }
    for (ChaosProxy proxy : proxies.values()) {
      proxy.close();
    }
    for (ChaosProxy proxy : streamProxies.values()) {
      proxy.close();
    }
  }

  private void restart(TaskName task) throws Exception {
    processes.get(task).close();
    start(task);
    processes.get(task).awaitReady();
  }

  private void start(TaskName task) throws IOException {
    int streamPort = streamProxies.containsKey(task) ? streamProxies.get(task).port() : 0;
    processes.put(task, TaskInProcess.start(clusterOf(task), task, silence, paths, streamPort));
  }

  /** A task listens at its own port, and knows the others by their proxies. */
  private ClusterSpec clusterOf(TaskName self) {
    Map<String, Map<Integer, String>> jobs = new TreeMap<>();
    ports.forEach(
        (task, port) ->
            jobs.computeIfAbsent(task.job(), job -> new TreeMap<>())
                .put(task.index(), task.equals(self) ? TASKS + ":" + port : address(task)));
    return ClusterSpec.ofSparse(jobs);
  }
}
