package dev.tributary.cluster.server;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.StatePlacement;
import dev.tributary.session.BackendChoice;
import dev.tributary.session.ChannelSecurity;
import java.nio.file.Path;
import java.util.Optional;
import org.tensorflow.proto.ConfigProto;

/**
 * Configuration of a {@link Server}.
 *
 * @param cluster all tasks, the server's own among them
 * @param task the task that the server is
 * @param config what holds for sessions that say nothing else; also the number of CPU devices
 *     ({@code device_count}) and of threads. Where it says nothing, as many nodes run at once as
 *     there are cores, and each is computed on the task's share of the cores: tasks of one job on
 *     one host compute at the same time and divide them, while those of other jobs, as parameter
 *     servers, take turns with them
 * @param backend the implementation of matrix products, convolutions and the like
 * @param times how long the server waits for what
 * @param security whom the server lets in, and what it shows the tasks that it calls
 * @param limits how much the server takes from its callers
 * @param fileRoot the folder to which file ops are confined; without one they may go anywhere
 * @param insecure whether every caller that reaches the port may use the server. On a loopback
 *     address only this machine does; at any other address a server that does not know its callers
 *     needs this to be said
 * @param fastPaths how steps go from and to other tasks of ours
 * @param statePlacement where variables go that ask for no task, in sessions that this server is
 *     the master of; all servers of a cluster should agree. Sessions with {@linkplain
 *     dev.tributary.session.ClusterOptions#isolateState isolated} state share nothing and keep it
 *     at their master's task
 */
public record ServerOptions(
    ClusterSpec cluster,
    TaskName task,
    ConfigProto config,
    BackendChoice backend,
    TimeLimits times,
    ChannelSecurity security,
    Limits limits,
    Optional<Path> fileRoot,
    boolean insecure,
    FastPaths fastPaths,
    StatePlacement statePlacement) {
  public ServerOptions {
    cluster.address(task); // Fails, naming the tasks that there are, if it has none.
  }

  public static ServerOptions of(ClusterSpec cluster, String job, int task) {
    return new ServerOptions(
        cluster,
        new TaskName(job, task),
        ConfigProto.getDefaultInstance(),
        BackendChoice.AUTO,
        TimeLimits.defaults(),
        ChannelSecurity.none(),
        Limits.defaults(),
        Optional.empty(),
        false,
        FastPaths.ALL,
        StatePlacement.FIRST_TASK);
  }

  public ServerOptions withConfig(ConfigProto settings) {
    return new ServerOptions(
        cluster,
        task,
        settings,
        backend,
        times,
        security,
        limits,
        fileRoot,
        insecure,
        fastPaths,
        statePlacement);
  }

  public ServerOptions withBackend(BackendChoice choice) {
    return new ServerOptions(
        cluster,
        task,
        config,
        choice,
        times,
        security,
        limits,
        fileRoot,
        insecure,
        fastPaths,
        statePlacement);
  }

  public ServerOptions withTimes(TimeLimits settings) {
    return new ServerOptions(
        cluster,
        task,
        config,
        backend,
        settings,
        security,
        limits,
        fileRoot,
        insecure,
        fastPaths,
        statePlacement);
  }

  public ServerOptions withSecurity(ChannelSecurity settings) {
    return new ServerOptions(
        cluster,
        task,
        config,
        backend,
        times,
        settings,
        limits,
        fileRoot,
        insecure,
        fastPaths,
        statePlacement);
  }

  public ServerOptions withLimits(Limits settings) {
    return new ServerOptions(
        cluster,
        task,
        config,
        backend,
        times,
        security,
        settings,
        fileRoot,
        insecure,
        fastPaths,
        statePlacement);
  }

  public ServerOptions withFileRoot(Path folder) {
    return new ServerOptions(
        cluster,
        task,
        config,
        backend,
        times,
        security,
        limits,
        Optional.of(folder),
        insecure,
        fastPaths,
        statePlacement);
  }

  public ServerOptions withInsecure(boolean allowed) {
    return new ServerOptions(
        cluster,
        task,
        config,
        backend,
        times,
        security,
        limits,
        fileRoot,
        allowed,
        fastPaths,
        statePlacement);
  }

  public ServerOptions withFastPaths(FastPaths choice) {
    return new ServerOptions(
        cluster,
        task,
        config,
        backend,
        times,
        security,
        limits,
        fileRoot,
        insecure,
        choice,
        statePlacement);
  }

  public ServerOptions withStatePlacement(StatePlacement choice) {
    return new ServerOptions(
        cluster, task, config, backend, times, security, limits, fileRoot, insecure, fastPaths,
        choice);
  }

  int interOpThreads() {
    int configured = config.getInterOpParallelismThreads();
    return configured > 0 ? configured : cores();
  }

  int intraOpThreads() {
    int configured = config.getIntraOpParallelismThreads();
    return configured > 0 ? configured : Math.max(1, cores() / cluster.tasksOnHostOf(task));
  }

  int cpuDevices() {
    return Math.max(1, config.getDeviceCountOrDefault("CPU", 1));
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }
}
