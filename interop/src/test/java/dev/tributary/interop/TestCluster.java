package dev.tributary.interop;

import dev.tributary.interop.TaskProcess.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.ServerDef;

/**
 * One ps and two workers, each a process of its own, of either kind. Its ports are free ones of
 * this machine.
 */
final class TestCluster implements AutoCloseable {
  /** A task of the cluster. */
  record Task(String job, int index) {
    static final Task PS = new Task("ps", 0);
    static final Task WORKER_0 = new Task("worker", 0);
    static final Task WORKER_1 = new Task("worker", 1);

    static final List<Task> ALL = List.of(PS, WORKER_0, WORKER_1);

    String device() {
      return "/job:" + job + "/replica:0/task:" + index + "/device:CPU:0";
    }
  }

  private final Map<Task, Kind> kinds;
  private final Map<Task, String> addresses;
  private final Map<Task, TaskProcess> processes = new LinkedHashMap<>();

  private TestCluster(Map<Task, Kind> kinds, Map<Task, String> addresses) {
    this.kinds = kinds;
    this.addresses = addresses;
  }

  /** Starts all tasks and waits until they serve. */
  static TestCluster start(Kind ps, Kind workers) throws Exception {
    Map<Task, Kind> kinds = Map.of(Task.PS, ps, Task.WORKER_0, workers, Task.WORKER_1, workers);
    TestCluster cluster = new TestCluster(kinds, freeAddresses());
    try {
      Task.ALL.forEach(cluster::startProcess);
      for (TaskProcess process : cluster.processes.values()) {
        process.awaitReady();
      }
      return cluster;
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  String target(Task task) {
    return "grpc://" + addresses.get(task);
  }

  /** Ends a task as a crash would. */
  void kill(Task task) {
    processes.get(task).kill();
  }

  /** Starts a task again at its old address. */
  void restart(Task task) throws Exception {
    startProcess(task);
    processes.get(task).awaitReady();
  }

  @Override
  public void close() {
    processes.values().forEach(TaskProcess::close);
  }

  private void startProcess(Task task) {
    ServerDef serverDef =
        ServerDef.newBuilder()
            .setCluster(clusterDef())
            .setJobName(task.job())
            .setTaskIndex(task.index())
            .setProtocol("grpc")
            .build();
    processes.put(task, TaskProcess.start(kinds.get(task), serverDef));
  }

  private ClusterDef clusterDef() {
    Map<String, JobDef.Builder> jobs = new LinkedHashMap<>();
    addresses.forEach(
        (task, address) ->
            jobs.computeIfAbsent(task.job(), name -> JobDef.newBuilder().setName(name))
                .putTasks(task.index(), address));
    ClusterDef.Builder cluster = ClusterDef.newBuilder();
    jobs.values().forEach(cluster::addJob);
    return cluster.build();
  }

  private static Map<Task, String> freeAddresses() throws IOException {
    Map<Task, String> addresses = new LinkedHashMap<>();
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (Task task : Task.ALL) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        addresses.put(task, "localhost:" + socket.getLocalPort());
      }
      return addresses;
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }
}
