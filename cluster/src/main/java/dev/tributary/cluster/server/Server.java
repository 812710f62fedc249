package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.internal.concurrent.StateMachine;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.memory.ByteText;
import dev.tributary.security.ChannelSecurity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task of a cluster in this process: devices, a worker that runs nodes on them, and a master
 * that clients open sessions at. It serves from its start to its stop; a process may hold any
 * number of servers. Safe for use by many threads.
 *
 * <pre>{@code
 * ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of("localhost:2222")));
 * try (Server server = Server.start(ServerOptions.of(cluster, "local", 0));
 *     Session session = Session.open(server.target(), graph)) {
 *   session.run(train);
 * }
 * }</pre>
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private enum State {
    RUNNING,
    STOPPING,
    STOPPED
  }

  private final ServerOptions options;
  private final Task task;
  private final StateMachine<State> state = new StateMachine<>(State.RUNNING);

  private Server(ServerOptions options, Task task) {
    this.options = options;
    this.task = task;
  }

  /** Starts to serve. An address that is taken is FAILED_PRECONDITION. */
  public static Server start(ServerOptions options) {
    options.requireKnownCallers();
    Task task = Task.start(options, options.backend()::backend, TaskLog.of(options.task()));
    LOG.info("{} serves at {} ({})", options.task(), task.target(), describe(options));
    if (options.warmUp()) {
      WarmUp.begin(options, task::isUsed)
          .ifPresent(warmUp -> task.shutdown().add("warm-up", warmUp::close));
    }
    return new Server(options, task);
  }

  /** The target at which clients open sessions: {@code grpc://host:port}. */
  public String target() {
    return task.target();
  }

  public ServerOptions options() {
    return options;
  }

  /** Returns the present counters: sessions, steps, failures, traffic and memory. */
  public ServerStatistics statistics() {
    return task.statistics().get();
  }

  /**
   * Tells the tasks of other jobs that this task's part of the work is done, so that those which
   * were told to {@linkplain #stopWhenOthersAreDone end with their job} can. Waits for their
   * answers, for as long as the limits say; a task that cannot be told is logged.
   */
  public void complete() {
    task.completion().tell();
  }

  /**
   * Stops the server as soon as all tasks of other jobs are {@linkplain #complete done}: a
   * parameter server ends with the last worker.
   */
  public void stopWhenOthersAreDone() {
    stopAfter(task.completion().whenOthersAreDone());
  }

  /**
   * Stops the server as soon as all tasks of other jobs are {@linkplain #complete done}, or a while
   * after all tasks of one job are.
   *
   * @param job the job whose end ends the work, such as that of the chief
   * @param grace the longest time that the others have then
   */
  public void stopWhenDone(String job, Duration grace) {
    stopAfter(task.completion().whenDone(job, grace));
  }

  private void stopAfter(CompletableFuture<Void> end) {
    end.thenRun(
        () -> {
          LOG.info("{}: the tasks of other jobs are done", options.task());
          // Not on the thread that serves the last task's call: stopping waits for that.
          new Thread(this::stop, "tributary-stop").start();
        });
  }

  /** Waits until the server is stopped. */
  public void join() throws InterruptedException {
    state.await(State.STOPPED);
  }

  /** Waits until the server is stopped or the time is over; returns whether it is stopped. */
  public boolean join(Duration limit) throws InterruptedException {
    return state.await(State.STOPPED, limit);
  }

  /**
   * Ends sessions and steps, and gives back threads, port and variables before it returns. What has
   * not ended within the limit is logged and left behind. Again it does nothing but wait for the
   * first call.
   */
  public void stop() {
    boolean isFirst = state.move(State.RUNNING, State.STOPPING);
    try {
      if (isFirst) {
        shutDown(options.times().stop());
      } else {
        join(options.times().stop());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (isFirst) {
      LOG.info("{} stopped", options.task());
      state.moveTo(State.STOPPED);
    }
  }

  private void shutDown(Duration limit) throws InterruptedException {
    LOG.info("{} stops", options.task());
    Thread stopper = new Thread(task.shutdown(), "tributary-stop-" + options.task().job());
    stopper.setDaemon(true);
    stopper.start();
    TimeUnit.NANOSECONDS.timedJoin(stopper, limit.toNanos());
    if (stopper.isAlive()) {
      LOG.warn(
          "{} stops, but {} did not end within {}",
          options.task(),
          task.shutdown().current(),
          TimeText.of(limit));
    }
  }

  @Override
  public void close() {
    stop();
  }

  /** The settings that an operator looks for first when something does not work. */
  private static String describe(ServerOptions options) {
    String cluster =
        options.cluster().jobs().entrySet().stream()
            .map(job -> job.getValue().size() + " " + job.getKey())
            .collect(Collectors.joining(", "));
    return String.format(
        "cluster: %s; security: %s; fast paths: %s; files: %s; threads: %d; memory: %s beside %s"
            + " of Java heap",
        cluster,
        describe(options.security()) + (options.ownUserOnly() ? ", own user only" : ""),
        options.fastPaths().name().toLowerCase(Locale.ROOT),
        options.fileRoot().map(Path::toString).orElse("anywhere"),
        options.intraOpThreads(),
        ByteText.of(options.limits().memoryBytes()),
        ByteText.of(Runtime.getRuntime().maxMemory()));
  }

  private static String describe(ChannelSecurity security) {
    String tls = security.tls().map(files -> files.mutual() ? "mutual TLS" : "TLS").orElse("");
    String token = security.token().isPresent() ? "token" : "";
    String both = String.join(tls.isEmpty() || token.isEmpty() ? "" : " and ", tls, token);
    return both.isEmpty() ? "none" : both;
  }
}
