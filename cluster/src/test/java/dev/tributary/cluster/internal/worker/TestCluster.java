package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.AddressBooks;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.FileThreads;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.session.BackendChoice;
import dev.tributary.testing.TinyOps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.ServerDef;

/**
 * Tasks of one job, each with a worker in this process, which reach each other as a test says:
 * directly, or over a wire.
 */
final class TestCluster implements AutoCloseable {
  static final Duration ABORT_DELAY = Duration.ofMillis(50);
  private static final long LIMIT_SECONDS = 20;

  final TinyOps tiny = new TinyOps();
  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final ThreadTimer timer = new ThreadTimer(Thread::new);
  private final TreeMap<TaskName, Worker> workers = new TreeMap<>();
  private final TreeMap<TaskName, WorkerInterface> reached = new TreeMap<>();

  private final Connector connector;
  private final UnaryOperator<WorkerOptions> settings;
  private final FileThreads fileThreads = new FileThreads("test");

  TestCluster(int tasks, int devicesEach, Connector connector) {
    this(tasks, devicesEach, connector, UnaryOperator.identity());
  }

  TestCluster(
      int tasks, int devicesEach, Connector connector, UnaryOperator<WorkerOptions> settings) {
    this.connector = connector;
    this.settings = settings;
    for (int i = 0; i < tasks; i++) {
      TaskName task = task(i);
      Worker worker = new Worker(environment(task, devicesEach));
      workers.put(task, worker);
      reached.put(task, connector.connect(worker));
    }
  }

  static TaskName task(int index) {
    return new TaskName("worker", index);
  }

  /** The first device of a task. */
  static Partition.End cpu(int task) {
    return cpu(task, 0);
  }

  static Partition.End cpu(int task, int number) {
    return new Partition.End(task(task).device("CPU", number), incarnation(task, number));
  }

  /** The threads for files of all tasks, as no session has them. */
  FileThreads fileThreads() {
    return fileThreads;
  }

  Worker worker(int task) {
    return workers.get(task(task));
  }

  /** A worker as others reach it. */
  WorkerInterface remote(int task) {
    return reached.get(task(task));
  }

  Partition partition(int task) {
    return new Partition(tiny.graph().registry(), cpu(task));
  }

  /** Opens a session on all workers. */
  void createSession(String handle) {
    for (WorkerInterface worker : reached.values()) {
      await(worker.createWorkerSession(session(handle, false), CallOptions.defaults()));
    }
  }

  static CreateWorkerSessionRequest session(String handle, boolean isolated) {
    return new CreateWorkerSessionRequest(
        handle, ServerDef.getDefaultInstance(), isolated, List.of(), "", 0);
  }

  /** Registers and closes a partition; gives its handle. */
  String register(int task, String session, Partition partition) {
    try (partition) {
      return await(register(task, session, partition.toProto()));
    }
  }

  CompletableFuture<String> register(int task, String session, GraphDef graph) {
    return remote(task)
        .registerGraph(
            new RegisterGraphRequest(session, true, graph, ConfigProto.getDefaultInstance(), 0),
            CallOptions.defaults());
  }

  /** What a call gives; fails as the call does, or if it takes too long. */
  static <T> T await(CompletableFuture<T> call) {
    try {
      return call.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no answer within " + LIMIT_SECONDS + " s", e);
    }
  }

  /** Waits until a worker has heard of so many steps. */
  void awaitSteps(int task, int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (worker(task).stepCount() != count) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(worker(task).stepCount() + " steps instead of " + count);
      }
      LockSupport.parkNanos(100_000);
    }
  }

  /** How a call fails. */
  static TributaryException failure(CompletableFuture<?> call) {
    try {
      throw new AssertionError("succeeded with " + await(call));
    } catch (TributaryException e) {
      return e;
    }
  }

  static ErrorCode code(CompletableFuture<?> call) {
    return failure(call).code();
  }

  @Override
  public void close() {
    workers.values().forEach(Worker::close);
    connector.close();
    pool.shutdownNow();
    timer.close();
    fileThreads.close();
    tiny.close();
  }

  /** The full names of all devices. */
  List<String> devices() {
    return workers.values().stream()
        .flatMap(worker -> await(worker.getStatus(CallOptions.defaults())).stream())
        .map(DeviceAttributes::getName)
        .toList();
  }

  static long incarnation(String device) {
    DeviceSpec spec = DeviceSpec.parse(device);
    return incarnation(spec.task().getAsInt(), spec.index().getAsInt());
  }

  private static long incarnation(int task, int number) {
    return 0xabc0000L + 100L * task + number + 1;
  }

  private WorkerEnvironment environment(TaskName task, int deviceCount) {
    List<LocalDevice> devices = new ArrayList<>();
    for (int i = 0; i < deviceCount; i++) {
      Device device =
          new Device(
              task.device("CPU", i),
              Allocator.shared(),
              BackendChoice.JAVA.backend(ParallelFor.INLINE),
              new ResourceContainers(),
              FileRoot.anywhere(),
              fileThreads);
      devices.add(LocalDevice.of(device, incarnation(task.index(), i)));
    }
    return new WorkerEnvironment(
        task,
        devices,
        tiny.graph().registry(),
        new Addresses(),
        pool,
        timer,
        RandomIds.ofProcess(),
        settings.apply(
            WorkerOptions.defaults()
                .withAbortDelay(ABORT_DELAY)
                .withTransferTimeout(Duration.ofMinutes(1))));
  }

  /** The cluster as its tasks see it; a client may give the tasks other names. */
  private final class Addresses implements AddressBooks {
    @Override
    public Workers ownCluster() {
      return book(Function.identity());
    }

    @Override
    public Workers open(ServerDef server) {
      return book(task -> new TaskName("worker", task.index()));
    }

    private Workers book(Function<TaskName, TaskName> ownName) {
      return new Workers() {
        @Override
        public List<TaskName> tasks() {
          return List.copyOf(reached.keySet());
        }

        @Override
        public WorkerInterface worker(TaskName task) {
          WorkerInterface found = reached.get(ownName.apply(task));
          if (found == null) {
            throw TributaryException.internal("No worker known as %s: there are %s", task, tasks());
          }
          return found;
        }
      };
    }
  }
}
