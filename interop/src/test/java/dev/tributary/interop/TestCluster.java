package dev.tributary.interop;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.testing.JavaProgram;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.ConfigProto;
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

  /** Members of collectives find each other at a worker. */
  private static final ConfigProto COLLECTIVES =
      ConfigProto.newBuilder()
          .setExperimental(
              ConfigProto.Experimental.newBuilder()
                  .setCollectiveGroupLeader("/job:worker/replica:0/task:0"))
          .build();

  private final Map<Task, TaskKind> kinds;
  private final Map<Task, String> addresses;
  private final Optional<CertificateFolder> certificates;
  private final Map<Task, JavaProgram> processes = new LinkedHashMap<>();

  private TestCluster(Map<Task, TaskKind> kinds, Map<Task, String> addresses) throws IOException {
    this.kinds = kinds;
    this.addresses = addresses;
    this.certificates =
        kinds.containsValue(TaskKind.STOCK)
            ? Optional.empty()
            : OurTasks.certificates(ClusterSpec.fromProto(clusterDef()));
  }

  /** Starts all tasks and waits until they serve. */
  static TestCluster start(TaskKind ps, TaskKind workers) throws Exception {
    Map<Task, TaskKind> kinds = Map.of(Task.PS, ps, Task.WORKER_0, workers, Task.WORKER_1, workers);
    TestCluster cluster = new TestCluster(kinds, freeAddresses());
    try {
      for (Task task : Task.ALL) {
        cluster.startProcess(task);
      }
      for (JavaProgram process : cluster.processes.values()) {
        process.awaitLine(TaskKind.READY);
      }
      return cluster;
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  ClusterTarget target(Task task) {
    return new ClusterTarget("grpc://" + addresses.get(task), certificates);
  }

  /** Ends a task as a crash would. */
  void kill(Task task) throws Exception {
    processes.get(task).close();
  }

  /** Starts a task again at its old address. */
  void restart(Task task) throws Exception {
    startProcess(task);
    processes.get(task).awaitLine(TaskKind.READY);
  }

  @Override
  public void close() throws Exception {
    for (JavaProgram process : processes.values()) {
      process.close();
    }
  }

  private void startProcess(Task task) throws IOException {
    ServerDef serverDef =
        ServerDef.newBuilder()
            .setCluster(clusterDef())
            .setJobName(task.job())
            .setTaskIndex(task.index())
            .setProtocol("grpc")
            .setDefaultSessionConfig(COLLECTIVES)
            .build();
    processes.put(task, kinds.get(task).start(serverDef, certificates));
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

  private static Map<Task, String> freeAddresses() {
    List<String> free = FreePorts.addresses(Task.ALL.size());
    Map<Task, String> addresses = new LinkedHashMap<>();
    for (int i = 0; i < free.size(); i++) {
      addresses.put(Task.ALL.get(i), free.get(i));
    }
    return addresses;
  }
}
