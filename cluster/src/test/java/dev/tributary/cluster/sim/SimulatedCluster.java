package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.protocol.AddressBooks;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.tensorflow.proto.ServerDef;

/** The tasks of a cluster, which crash and start anew. Confined to the simulation's thread. */
final class SimulatedCluster {
  private static final Duration PORT_STAYS_OPEN = Duration.ofMillis(10);

  private final Scheduler scheduler;
  private final Network network;
  private final SeededIds ids;
  private final boolean pushes;
  private final List<TaskName> tasks;
  private final Map<TaskName, SimulatedTask> up = new TreeMap<>();
  private final Map<TaskName, Integer> lives = new TreeMap<>();
  private final List<CompletableFuture<Void>> closing = new ArrayList<>();

  /**
   * @param pushes whether values go to other tasks unasked
   */
  SimulatedCluster(
      Scheduler scheduler, Network network, SeededIds ids, List<TaskName> tasks, boolean pushes) {
    this.pushes = pushes;
    this.scheduler = scheduler;
    this.network = network;
    this.ids = ids;
    this.tasks = tasks;
    tasks.forEach(this::start);
  }

  List<TaskName> tasks() {
    return tasks;
  }

  /** The tasks that are up now. */
  List<SimulatedTask> up() {
    return List.copyOf(up.values());
  }

  /** How often a task was started. */
  int lives(TaskName task) {
    return lives.getOrDefault(task, 0);
  }

  /** Starts a task, unless it is up. */
  void start(TaskName task) {
    if (!up.containsKey(task)) {
      Life life = new Life(place(task), lives.merge(task, 1, Integer::sum));
      up.put(
          task,
          new SimulatedTask(
              task, life, scheduler, ids, pushes, self -> new Book(task, self).books()));
    }
  }

  void startAll() {
    tasks.forEach(this::start);
  }

  /** Ends a task without a word if it is up, and starts it again after a while. */
  void crash(TaskName task, Duration time) {
    SimulatedTask crashed = up.remove(task);
    if (crashed != null) {
      network.crash(crashed.life());
      closing.add(crashed.close());
      scheduler.after(time, place(task) + " starts", () -> start(task));
    }
  }

  /**
   * Stops a task if it is up, and starts it again when it has been gone for a while. It has a
   * moment to tell those who wait for it.
   */
  void restart(TaskName task, Duration time) {
    SimulatedTask stopped = up.get(task);
    if (stopped == null) {
      return;
    }
    CompletableFuture<Void> closed = stopped.close();
    closing.add(closed);
    closed.whenComplete(
        (done, thrown) ->
            scheduler.after(
                PORT_STAYS_OPEN, stopped.life() + " is gone", () -> gone(task, stopped, time)));
  }

  private void gone(TaskName task, SimulatedTask stopped, Duration time) {
    up.remove(task, stopped);
    network.crash(stopped.life());
    scheduler.after(time, place(task) + " starts", () -> start(task));
  }

  /** A task's master, as a client reaches it. */
  MasterInterface master(Life client, TaskName task) {
    return network.reach(MasterInterface.class, client, address(task, SimulatedTask::master));
  }

  /** Stops all tasks. */
  void close() {
    up.values().forEach(task -> closing.add(task.close()));
    up.clear();
  }

  /** Whether all tasks that ended have given everything back. */
  boolean isClosed() {
    return closing.stream().allMatch(CompletableFuture::isDone);
  }

  static String place(TaskName task) {
    return task.job() + ":" + task.index();
  }

  private Network.Address address(TaskName task, Function<SimulatedTask, Object> service) {
    return new Network.Address() {
      @Override
      public Optional<Network.Endpoint> endpoint() {
        return Optional.ofNullable(up.get(task))
            .map(found -> new Network.Endpoint(found.life(), service.apply(found)));
      }

      @Override
      public String toString() {
        return place(task);
      }
    };
  }

  /** The cluster as one task sees it: itself directly, the others through the network. */
  private final class Book implements Workers {
    private final TaskName owner;
    private final SimulatedTask self;

    Book(TaskName owner, SimulatedTask self) {
      this.owner = owner;
      this.self = self;
    }

    AddressBooks books() {
      return new AddressBooks() {
        @Override
        public Workers ownCluster() {
          return Book.this;
        }

        @Override
        public Workers open(ServerDef server) {
          throw TributaryException.unimplemented("clusters of clients are not simulated");
        }
      };
    }

    @Override
    public List<TaskName> tasks() {
      return tasks;
    }

    @Override
    public WorkerInterface worker(TaskName task) {
      return task.equals(owner)
          ? self.worker()
          : network.reach(WorkerInterface.class, self.life(), address(task, SimulatedTask::worker));
    }
  }
}
