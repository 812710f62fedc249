package dev.tributary.cluster.server;

import dev.tributary.cluster.master.Master;
import dev.tributary.cluster.master.MasterEnvironment;
import dev.tributary.cluster.master.MasterOptions;
import dev.tributary.cluster.protocol.RandomIds;
import dev.tributary.cluster.protocol.TaskLog;
import dev.tributary.cluster.rpc.GrpcServer;
import dev.tributary.cluster.session.InProcessMasters;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.cluster.stream.StreamServer;
import dev.tributary.cluster.worker.Worker;
import dev.tributary.cluster.worker.WorkerEnvironment;
import dev.tributary.cluster.worker.WorkerOptions;
import dev.tributary.executor.NodeThreads;
import dev.tributary.graph.OpRegistry;
import dev.tributary.kernel.Backend;
import dev.tributary.kernel.ParallelFor;
import dev.tributary.ops.Ops;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Function;

/**
 * A task that serves: devices, a worker that runs nodes on them, and a master that clients open
 * sessions at. Whoever starts it runs the shutdown, once.
 *
 * @param address where it listens
 * @param shutdown takes it apart
 */
record Task(HostAndPort address, JobCompletion completion, Shutdown shutdown) {
  /**
   * Puts a task together, from what others stand on upwards. If that fails, nothing stays.
   *
   * @param backend creates the compute backend for the given threads
   */
  static Task start(ServerOptions options, Function<ParallelFor, Backend> backend, TaskLog log) {
    Shutdown parts = new Shutdown();
    try {
      return start(options, backend, log, parts);
    } catch (RuntimeException | Error e) {
      parts.run();
      throw e;
    }
  }

  /** The target at which clients open sessions: {@code grpc://host:port}. */
  String target() {
    return "grpc://" + address;
  }

  /** Returns whether a client has begun to use it. */
  boolean isUsed() {
    return completion.worker().isAsked();
  }

  private static Task start(
      ServerOptions options, Function<ParallelFor, Backend> backend, TaskLog log, Shutdown parts) {
    HostAndPort own = options.cluster().hostAndPort(options.task());
    TimeLimits times = options.times();
    NodeThreads threads =
        new NodeThreads(
            "tributary-" + options.task().job() + "-" + options.task().index(),
            options.interOpThreads());
    parts.add("threads", () -> threads.close(times.stop().dividedBy(2)));
    TaskDevices devices = new TaskDevices(options, backend);
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
                    .withLimits(options.limits())),
            log);
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
                    .withLimits(options.limits())
                    .withStatePlacement(options.statePlacement())),
            log);
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
    // Both end their steps first, while waiting callers can still be told.
    parts.add("worker", worker::close);
    parts.add("master", master::close);
    HostAndPort address = own.withPort(grpc.port());
    InProcessMasters.Entry entry = InProcessMasters.list(address, master);
    parts.add("short cut", entry::close);
    return new Task(address, new JobCompletion(options, worker, addressBooks.ownCluster()), parts);
  }

  /** A task that others may reach listens at all of the machine's addresses, as TensorFlow does. */
  private static InetSocketAddress listenAddress(HostAndPort own) {
    return own.isLoopback()
        ? new InetSocketAddress(own.host(), own.port())
        : new InetSocketAddress(own.port());
  }
}
