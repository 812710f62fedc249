package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.master.Master;
import dev.tributary.cluster.internal.master.MasterEnvironment;
import dev.tributary.cluster.internal.master.MasterOptions;
import dev.tributary.cluster.internal.protocol.CallCounters;
import dev.tributary.cluster.internal.protocol.CollectiveLeader;
import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.rpc.CallerRules;
import dev.tributary.cluster.internal.rpc.GrpcServer;
import dev.tributary.cluster.internal.session.InProcessMasters;
import dev.tributary.cluster.internal.worker.Worker;
import dev.tributary.cluster.internal.worker.WorkerEnvironment;
import dev.tributary.cluster.internal.worker.WorkerOptions;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.ErrorCode;
import dev.tributary.internal.executor.NodeThreads;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.time.Timer;
import dev.tributary.ops.Ops;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A task that serves: devices, a worker that runs nodes on them, and a master that clients open
 * sessions at. Whoever starts it runs the shutdown, once.
 *
 * @param address where it listens
 * @param statistics reads the counters
 * @param shutdown takes it apart
 */
record Task(
    HostAndPort address,
    JobCompletion completion,
    Supplier<ServerStatistics> statistics,
    Shutdown shutdown) {
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
    TaskMemory memory = TaskMemory.limited(options.limits().memoryBytes());
    TaskDevices devices = new TaskDevices(options, memory, backend);
    parts.add("devices", devices::close);
    OpRegistry registry = Ops.registry();
    TaskAddressBooks addressBooks =
        new TaskAddressBooks(
            options.cluster(),
            options.task(),
            options.security(),
            memory,
            times.silence(),
            options.fastPaths().streams(),
            threads.timer());
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
                    .withExecutionThreads(options.interOpThreads())
                    .withSessionLimits(times.lease(), times.idle())
                    .withLimits(options.limits())
                    .withCollectiveLeader(CollectiveLeader.configured(options.config()))),
            log);
    addressBooks.attach(worker);
    Master master =
        new Master(
            new MasterEnvironment(
                options.task(),
                addressBooks,
                options.config(),
                registry,
                threads.graphs(),
                threads.timer(),
                ids,
                MasterOptions.defaults()
                    .withSessionCreationTimeout(times.session())
                    .withCallTimeout(times.call())
                    .withStepTimeout(times.step())
                    .withCloseTimeout(times.close())
                    .withLimits(options.limits())
                    .withMemory(memory)
                    .withStatePlacement(options.statePlacement())
                    .withSessionLimits(times.lease(), times.idle())),
            log);
    parts.add("channels", addressBooks::close);
    TaskStreams streams =
        TaskStreams.start(options, listenAddress(own), worker, memory, threads.timer());
    parts.add("streams", streams::close);
    GrpcServer grpc =
        GrpcServer.start(
            listenAddress(own),
            master,
            worker,
            new CallerRules(options.security(), options.limits(), memory, options.ownUserOnly()),
            streams.isEmpty() ? Optional.empty() : Optional.of(streams::offer));
    parts.add("port", grpc::close);
    Timer.Alarm watch =
        new StepThreadsWatch(options.task(), threads.pool(), grpc::setServing)
            .begin(threads.timer());
    parts.add("health", watch::cancel);
    // Both end their steps first, while waiting callers can still be told.
    parts.add("worker", worker::close);
    parts.add("master", master::close);
    HostAndPort address = own.withPort(grpc.port());
    InProcessMasters.Entry entry = InProcessMasters.list(address, master);
    parts.add("short cut", entry::close);
    return new Task(
        address,
        new JobCompletion(options, worker, addressBooks.ownCluster(), threads.timer()),
        () -> statistics(master, worker, memory),
        parts);
  }

  private static ServerStatistics statistics(Master master, Worker worker, TaskMemory memory) {
    Map<ErrorCode, Long> failures = new EnumMap<>(ErrorCode.class);
    for (CallCounters counters : List.of(master.counters(), worker.counters())) {
      counters.failures().forEach((code, count) -> failures.merge(code, count, Long::sum));
    }
    return new ServerStatistics(
        master.sessionCount(),
        timed(master.counters()),
        timed(worker.counters()),
        failures,
        worker.traffic().sent(),
        worker.traffic().received(),
        memory.budget().used(),
        memory.budget().limit(),
        memory.allocator().stats().liveBuffers());
  }

  private static ServerStatistics.Timed timed(CallCounters counters) {
    return new ServerStatistics.Timed(counters.steps(), counters.stepTime());
  }

  /** A task that others may reach listens at all of the machine's addresses, as TensorFlow does. */
  private static InetSocketAddress listenAddress(HostAndPort own) {
    return own.isLoopback()
        ? new InetSocketAddress(own.host(), own.port())
        : new InetSocketAddress(own.port());
  }
}
