package dev.tributary.cluster.server;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.session.BackendChoice;
import java.time.Duration;
import org.tensorflow.proto.ConfigProto;

/**
 * What a server is told.
 *
 * @param cluster all tasks, the server's own among them
 * @param task the task that the server is
 * @param config what holds for sessions that say nothing else; also the number of CPU devices
 *     ({@code device_count}) and of threads, which are as many as there are cores where it says
 *     nothing
 * @param backend who computes matrix products, convolutions and the like
 * @param sessionTimeout how long a new session waits for tasks that are not up
 * @param insecure whether anybody who reaches the port may use the server. On a loopback address
 *     only this machine does; any other address needs this to be said
 * @param localStreams whether tensors from and to our own tasks on the same machine go past gRPC,
 *     through a socket in a private directory
 */
public record ServerOptions(
    ClusterSpec cluster,
    TaskName task,
    ConfigProto config,
    BackendChoice backend,
    Duration sessionTimeout,
    boolean insecure,
    boolean localStreams) {
  public ServerOptions {
    cluster.address(task); // Fails, naming the tasks that there are, if it has none.
    if (sessionTimeout.isNegative() || sessionTimeout.isZero()) {
      throw TributaryException.invalidArgument(
          "a timeout must be longer than nothing, got %s", sessionTimeout);
    }
  }

  public static ServerOptions of(ClusterSpec cluster, String job, int task) {
    return new ServerOptions(
        cluster,
        new TaskName(job, task),
        ConfigProto.getDefaultInstance(),
        BackendChoice.AUTO,
        Duration.ofMinutes(5),
        false,
        true);
  }

  public ServerOptions withConfig(ConfigProto settings) {
    return new ServerOptions(
        cluster, task, settings, backend, sessionTimeout, insecure, localStreams);
  }

  public ServerOptions withBackend(BackendChoice choice) {
    return new ServerOptions(cluster, task, config, choice, sessionTimeout, insecure, localStreams);
  }

  public ServerOptions withSessionTimeout(Duration limit) {
    return new ServerOptions(cluster, task, config, backend, limit, insecure, localStreams);
  }

  public ServerOptions withInsecure(boolean allowed) {
    return new ServerOptions(cluster, task, config, backend, sessionTimeout, allowed, localStreams);
  }

  public ServerOptions withLocalStreams(boolean allowed) {
    return new ServerOptions(cluster, task, config, backend, sessionTimeout, insecure, allowed);
  }

  int interOpThreads() {
    return orCores(config.getInterOpParallelismThreads());
  }

  int intraOpThreads() {
    return orCores(config.getIntraOpParallelismThreads());
  }

  int cpuDevices() {
    return Math.max(1, config.getDeviceCountOrDefault("CPU", 1));
  }

  private static int orCores(int threads) {
    return threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
  }
}
