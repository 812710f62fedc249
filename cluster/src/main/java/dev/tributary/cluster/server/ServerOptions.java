package dev.tributary.cluster.server;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.StatePlacement;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.session.BackendChoice;
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
 * @param fileRoot the folder to which file ops are confined, links included; without one they may
 *     go anywhere
 * @param insecure whether every caller that reaches the port may use the server. On a loopback
 *     address only this machine does; at any other address a server that does not know its callers
 *     needs this to be said
 * @param anyLocalUser whether every user of this machine may use a server at a loopback address
 *     that does not know its callers. Otherwise only the server's own user and root may
 * @param fastPaths how steps go from and to other tasks of ours
 * @param statePlacement where variables go that ask for no task, in sessions that this server is
 *     the master of; all servers of a cluster should agree. Sessions with {@linkplain
 *     dev.tributary.session.ClusterOptions#isolateState isolated} state share nothing and keep it
 *     at their master's task
 * @param warmUp whether the process runs one small step of its own when its first server is ready,
 *     so that the first step of a client finds classes loaded and calls linked. It opens two ports
 *     on loopback for as long as that takes. For processes that do nothing but serve
 * @param streamPort where the server takes steps of tasks on other machines past gRPC, at the
 *     addresses of its other port; 0 takes any free port, of which callers learn by gRPC
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
    boolean anyLocalUser,
    FastPaths fastPaths,
    StatePlacement statePlacement,
    boolean warmUp,
    int streamPort) {
  private static final int LAST_PORT = 65535;

  public ServerOptions {
    cluster.address(task); // Fails, naming the tasks that there are, if it has none.
    if (streamPort < 0 || streamPort > LAST_PORT) {
      throw TributaryException.invalidArgument(
          "the stream port is %d, wanted 1 to %d, or 0 for any free one", streamPort, LAST_PORT);
    }
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
        false,
        FastPaths.ALL,
        StatePlacement.FIRST_TASK,
        false,
        0);
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        warmUp,
        streamPort);
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        warmUp,
        streamPort);
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        warmUp,
        streamPort);
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        warmUp,
        streamPort);
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        warmUp,
        streamPort);
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        warmUp,
        streamPort);
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        warmUp,
        streamPort);
  }

  /** Lets every user of this machine in, at a loopback address. */
  public ServerOptions withAnyLocalUser() {
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
        true,
        fastPaths,
        statePlacement,
        warmUp,
        streamPort);
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
        anyLocalUser,
        choice,
        statePlacement,
        warmUp,
        streamPort);
  }

  public ServerOptions withStatePlacement(StatePlacement choice) {
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
        anyLocalUser,
        fastPaths,
        choice,
        warmUp,
        streamPort);
  }

  public ServerOptions withWarmUp(boolean wanted) {
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        wanted,
        streamPort);
  }

  /** The port of streams from other machines, which a firewall has to let through. */
  public ServerOptions withStreamPort(int port) {
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
        anyLocalUser,
        fastPaths,
        statePlacement,
        warmUp,
        port);
  }

  /** Returns whether other users of this machine are kept out. */
  boolean ownUserOnly() {
    return cluster.hostAndPort(task).isLoopback()
        && !security.knowsCallers()
        && !insecure
        && !anyLocalUser;
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

  /**
   * Refuses, with FAILED_PRECONDITION, an address that other machines can reach if the server would
   * not know its callers there and nobody has {@linkplain #withInsecure accepted} that. {@link
   * Server#start} does it, too.
   */
  public void requireKnownCallers() {
    HostAndPort own = cluster.hostAndPort(task);
    if (!own.isLoopback() && !security.knowsCallers() && !insecure) {
      throw TributaryException.failedPrecondition(
          "%s would listen at %s, which other machines can reach, and would let anybody in; give it"
              + " mutual TLS or a token (--mutual-tls, --token-file), or accept that"
              + " (ServerOptions.withInsecure, --insecure)",
          task, own);
    }
  }
}
