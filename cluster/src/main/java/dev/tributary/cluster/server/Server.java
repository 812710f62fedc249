package dev.tributary.cluster.server;

import dev.tributary.cluster.master.Master;
import dev.tributary.cluster.master.MasterEnvironment;
import dev.tributary.cluster.master.MasterOptions;
import dev.tributary.cluster.protocol.RandomIds;
import dev.tributary.cluster.rpc.GrpcServer;
import dev.tributary.cluster.session.InProcessMasters;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.cluster.stream.StreamServer;
import dev.tributary.cluster.worker.Worker;
import dev.tributary.cluster.worker.WorkerEnvironment;
import dev.tributary.cluster.worker.WorkerOptions;
import dev.tributary.error.TributaryException;
import dev.tributary.executor.NodeThreads;
import dev.tributary.graph.OpRegistry;
import dev.tributary.ops.Ops;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  private final ServerOptions options;
  private final HostAndPort address;
  private final JobCompletion completion;
  private final Shutdown parts;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private Server(
      ServerOptions options, HostAndPort address, JobCompletion completion, Shutdown parts) {
    this.options = options;
    this.address = address;
    this.completion = completion;
    this.parts = parts;
  }

  /** Starts to serve. An address that is taken is FAILED_PRECONDITION. */
  public static Server start(ServerOptions options) {
    HostAndPort own = options.cluster().hostAndPort(options.task());
    if (!own.isLoopback() && !options.security().knowsCallers() && !options.insecure()) {
      throw TributaryException.failedPrecondition(
          "%s would listen at %s, where others than this machine can reach it, and would let"
              + " anybody in; give it mutual TLS or a token, or say that this is wanted (insecure)",
          options.task(), own);
    }
    Shutdown parts = new Shutdown();
    try {
      Assembled task = assemble(options, own, parts);
      HostAndPort address = own.withPort(task.port());
      LOG.info("{} serves at {}", options.task(), targetOf(address));
      return new Server(options, address, task.completion(), parts);
    } catch (RuntimeException | Error e) {
      parts.run();
      throw e;
    }
  }

  /** What clients open sessions at: {@code grpc://host:port}. */
  public String target() {
    return targetOf(address);
  }

  public ServerOptions options() {
    return options;
  }

  /**
   * Tells the tasks of other jobs that this task's part of the work is done, so that those which
   * were told to {@linkplain #stopWhenOthersAreDone end with their job} can. Waits for their
   * answers, for as long as the limits say; a task that cannot be told is logged.
   */
  public void complete() {
    completion.tell();
  }

  /**
   * Stops the server as soon as all tasks of other jobs are {@linkplain #complete done}: a
   * parameter server ends with the last worker.
   */
  public void stopWhenOthersAreDone() {
    completion
        .whenOthersAreDone()
        .thenRun(
            () -> {
              LOG.info("{}: the tasks of all other jobs are done", options.task());
              // Not on the thread that serves the last task's call: stopping waits for that.
              new Thread(this::stop, "tributary-stop").start();
            });
  }

  /** Waits until the server is stopped. */
  public void join() throws InterruptedException {
    stopped.await();
  }

  /** Waits until the server is stopped or the time is over; returns whether it is stopped. */
  public boolean join(Duration limit) throws InterruptedException {
    return stopped.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Ends sessions and steps, and gives back threads, port and variables before it returns. What has
   * not ended within the limit is logged and left behind. Again it does nothing but wait for the
   * first call.
   */
  public void stop() {
    Duration limit = options.times().stop();
    try {
      if (!stopping.compareAndSet(false, true)) {
        join(limit);
        return;
      }
      Thread stopper = new Thread(parts, "tributary-stop-" + options.task().job());
      stopper.setDaemon(true);
      stopper.start();
      TimeUnit.NANOSECONDS.timedJoin(stopper, limit.toNanos());
      if (stopper.isAlive()) {
        LOG.warn("{} stops, but {} did not end within {}", options.task(), parts.current(), limit);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LOG.info("{} stopped", options.task());
    stopped.countDown();
  }

  @Override
  public void close() {
    stop();
  }

  private record Assembled(int port, JobCompletion completion) {}

  /** Puts the task together, from what others stand on upwards. */
  private static Assembled assemble(ServerOptions options, HostAndPort own, Shutdown parts) {
    TimeLimits times = options.times();
    NodeThreads threads =
        new NodeThreads(
            "tributary-" + options.task().job() + "-" + options.task().index(),
            options.interOpThreads());
    parts.add("threads", () -> threads.close(times.stop().dividedBy(2)));
    TaskDevices devices = new TaskDevices(options);
    parts.add("devices", devices::close);
    OpRegistry registry = Ops.registry();
    TaskAddressBooks addressBooks =
        new TaskAddressBooks(
            options.cluster(),
            options.task(),
            options.security(),
            times.silence(),
            options.fastPaths().usesStreams());
    RandomIds ids = RandomIds.ofProcess();
    Worker worker =
        new Worker(
            new WorkerEnvironment(
                options.task(),
                devices.list(),
                registry,
                addressBooks,
                threads.pool(),
                threads.timer(),
                ids,
                WorkerOptions.defaults()
                    .withTransferTimeout(times.transfer())
                    .withCloseLimit(times.stop().dividedBy(4))
                    .withPushedTensors(options.fastPaths().pushesTensors())
                    .withLimits(options.limits())));
    addressBooks.attach(worker);
    Master master =
        new Master(
            new MasterEnvironment(
                options.task(),
                addressBooks,
                options.config(),
                registry,
                threads.pool(),
                threads.timer(),
                ids,
                MasterOptions.defaults()
                    .withSessionCreationTimeout(times.session())
                    .withCallTimeout(times.call())
                    .withStepTimeout(times.step())
                    .withCloseTimeout(times.close())
                    .withLimits(options.limits())));
    parts.add("channels", addressBooks::close);
    Optional<StreamServer> stream =
        options.fastPaths().usesStreams() ? StreamServer.start(worker) : Optional.empty();
    parts.add("stream", () -> stream.ifPresent(StreamServer::close));
    GrpcServer grpc =
        GrpcServer.start(
            listenAddress(own),
            master,
            worker,
            options.security(),
            options.limits().messageBytes(),
            stream.map(StreamServer::endpoint));
    parts.add("port", grpc::close);
    // Both end their steps first, while those who wait for them can still be told.
    parts.add("worker", worker::close);
    parts.add("master", master::close);
    InProcessMasters.Entry entry = InProcessMasters.list(own.withPort(grpc.port()), master);
    parts.add("short cut", entry::close);
    return new Assembled(
        grpc.port(), new JobCompletion(options, worker, addressBooks.ownCluster()));
  }

  /** A task that others may reach listens at all of the machine's addresses, as TensorFlow does. */
  private static InetSocketAddress listenAddress(HostAndPort own) {
    return own.isLoopback()
        ? new InetSocketAddress(own.host(), own.port())
        : new InetSocketAddress(own.port());
  }

  private static String targetOf(HostAndPort address) {
    return "grpc://" + address;
  }
}
