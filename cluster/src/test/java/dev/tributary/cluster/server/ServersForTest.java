package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.session.BackendChoice;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.tensorflow.proto.ConfigProto;

/** All servers of a small cluster, in this process. */
public final class ServersForTest implements AutoCloseable {
  private static final ConfigProto ONE_THREAD =
      ConfigProto.newBuilder()
          .setInterOpParallelismThreads(1)
          .setIntraOpParallelismThreads(1)
          .build();

  private final ClusterSpec cluster;
  private final Map<TaskName, Server> servers = new TreeMap<>();

  private ServersForTest(ClusterSpec cluster) {
    this.cluster = cluster;
  }

  public static ServersForTest start(Map<String, Integer> tasksOfJobs) {
    return start(tasksOfJobs, options -> options);
  }

  public static ServersForTest start(
      Map<String, Integer> tasksOfJobs, UnaryOperator<ServerOptions> change) {
    ServersForTest started = new ServersForTest(clusterOnFreePorts(tasksOfJobs));
    leaveOutWarmUp(started.cluster);
    for (TaskName task : started.cluster.tasks()) {
      started.servers.put(task, Server.start(change.apply(options(started.cluster, task))));
    }
    return started;
  }

  /** Takes the warm-up of this process: it would have tensors open while a test counts them. */
  private static void leaveOutWarmUp(ClusterSpec cluster) {
    ServerOptions any = options(cluster, cluster.tasks().iterator().next());
    WarmUp.begin(any, () -> true).ifPresent(WarmUp::close);
  }

  public static ServerOptions options(ClusterSpec cluster, TaskName task) {
    return ServerOptions.of(cluster, task.job(), task.index())
        .withConfig(ONE_THREAD)
        .withBackend(BackendChoice.JAVA);
  }

  public static ClusterSpec clusterOnFreePorts(Map<String, Integer> tasksOfJobs) {
    int count = tasksOfJobs.values().stream().mapToInt(Integer::intValue).sum();
    Iterator<String> addresses = FreePorts.addresses(count).iterator();
    Map<String, List<String>> jobs = new TreeMap<>();
    tasksOfJobs.forEach(
        (job, tasks) -> jobs.put(job, Stream.generate(addresses::next).limit(tasks).toList()));
    return ClusterSpec.of(jobs);
  }

  public ClusterSpec cluster() {
    return cluster;
  }

  public Server server(String job, int task) {
    return servers.get(new TaskName(job, task));
  }

  public String target(String job, int task) {
    return server(job, task).target();
  }

  @Override
  public void close() {
    servers.values().forEach(Server::close);
  }
}
