package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.AddressBooks;
import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.internal.worker.LocalDevice;
import dev.tributary.cluster.internal.worker.Worker;
import dev.tributary.cluster.internal.worker.WorkerEnvironment;
import dev.tributary.cluster.internal.worker.WorkerOptions;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.internal.time.Ticker;
import dev.tributary.session.BackendChoice;
import dev.tributary.testing.TinyOps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.ServerDef;

/**
 * A cluster in this process: workers with real devices, and masters on any of their tasks. All
 * calls of workers pass a {@link Wire}. Task {@code t} of job {@code j} has the address {@code
 * j-t:1}.
 */
final class MasterCluster implements AutoCloseable {
  final TinyOps tiny = new TinyOps();
  private final ExecutorService pool = Executors.newFixedThreadPool(4);
  private final ThreadTimer timer = new ThreadTimer(Thread::new);
  private final AtomicLong lives = new AtomicLong(1);
  private final TreeMap<TaskName, WorkerInterface> reached = new TreeMap<>();
  private final Map<TaskName, Worker> workers = new ConcurrentHashMap<>();
  private final List<Master> masters = new ArrayList<>();
  private volatile Wire wire = Wire.good();

  /** Starts tasks of jobs, {@code devices} CPUs each. */
  MasterCluster(Map<String, Integer> jobs, int devices) {
    jobs.forEach(
        (job, count) -> {
          for (int i = 0; i < count; i++) {
            TaskName task = new TaskName(job, i);
            reached.put(task, new WiredWorker(task, () -> workers.get(task), () -> wire));
            start(task, devices);
          }
        });
  }

  /** Starts a task, in place of one of that name that ran before. */
  void start(TaskName task, int deviceCount) {
    List<LocalDevice> devices = new ArrayList<>();
    for (int i = 0; i < deviceCount; i++) {
      devices.add(
          LocalDevice.of(
              new Device(
                  task.device("CPU", i),
                  Allocator.shared(),
                  BackendChoice.JAVA.backend(ParallelFor.INLINE),
                  new ResourceContainers()),
              0xabc000 + lives.getAndIncrement()));
    }
    Worker before =
        workers.put(
            task,
            new Worker(
                new WorkerEnvironment(
                    task,
                    devices,
                    tiny.graph().registry(),
                    new Addresses(),
                    pool,
                    timer,
                    RandomIds.ofProcess(),
                    WorkerOptions.defaults()
                        .withAbortDelay(Duration.ofMillis(50))
                        .withTransferTimeout(Duration.ofMinutes(1)))));
    if (before != null) {
      before.close();
    }
  }

  void wire(Wire next) {
    wire = next;
  }

  /** A task's worker, behind the wire. */
  WorkerInterface worker(TaskName task) {
    return reached.get(task);
  }

  Master master(String job, int index) {
    return master(job, index, MasterOptions.defaults(), ConfigProto.getDefaultInstance());
  }

  Master master(String job, int index, MasterOptions options, ConfigProto defaults) {
    return master(job, index, options, defaults, timer);
  }

  /** A master that tells by this clock how long clients have been silent. */
  Master master(String job, int index, MasterOptions options, ConfigProto defaults, Ticker ticker) {
    TaskName task = new TaskName(job, index);
    Master master =
        new Master(
            new MasterEnvironment(
                task,
                new Addresses(),
                defaults,
                tiny.graph().registry(),
                pool,
                timer,
                RandomIds.ofProcess(),
                options),
            TaskLog.of(task),
            ticker);
    masters.add(master);
    return master;
  }

  @Override
  public void close() {
    masters.forEach(Master::close);
    workers.values().forEach(Worker::close);
    pool.shutdownNow();
    timer.close();
    tiny.close();
  }

  private final class Addresses implements AddressBooks {
    @Override
    public Workers ownCluster() {
      return new Book(List.copyOf(reached.keySet()), reached);
    }

    @Override
    public Workers open(ServerDef server) {
      TreeMap<TaskName, WorkerInterface> described = new TreeMap<>();
      ClusterDef cluster = server.getCluster();
      for (JobDef job : cluster.getJobList()) {
        job.getTasksMap()
            .forEach((i, address) -> described.put(new TaskName(job.getName(), i), at(address)));
      }
      return new Book(List.copyOf(described.keySet()), described);
    }

    private WorkerInterface at(String address) {
      int dash = address.indexOf('-');
      int index = Integer.parseInt(address.substring(dash + 1, address.indexOf(':')));
      return reached.get(new TaskName(address.substring(0, dash), index));
    }
  }

  private record Book(List<TaskName> tasks, Map<TaskName, WorkerInterface> workers)
      implements Workers {
    @Override
    public WorkerInterface worker(TaskName task) {
      WorkerInterface found = workers.get(task);
      if (found == null) {
        throw TributaryException.internal("No worker known as %s: there are %s", task, tasks);
      }
      return found;
    }
  }
}
