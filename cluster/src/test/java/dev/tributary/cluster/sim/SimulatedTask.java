package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.master.Master;
import dev.tributary.cluster.internal.master.MasterEnvironment;
import dev.tributary.cluster.internal.master.MasterOptions;
import dev.tributary.cluster.internal.protocol.AddressBooks;
import dev.tributary.cluster.internal.worker.LocalDevice;
import dev.tributary.cluster.internal.worker.Worker;
import dev.tributary.cluster.internal.worker.WorkerEnvironment;
import dev.tributary.cluster.internal.worker.WorkerOptions;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.ops.Ops;
import dev.tributary.session.BackendChoice;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.tensorflow.proto.ConfigProto;

/** A task in one of its lives: a real worker and a real master on simulated threads. */
final class SimulatedTask {
  /** Short, so that they pass in a simulation; a worker's close must not wait on a real clock. */
  private static final WorkerOptions WORKER_OPTIONS =
      WorkerOptions.defaults()
          .withCloseLimit(Duration.ZERO)
          .withTransferTimeout(Duration.ofSeconds(10))
          .withBriefTask(Duration.ZERO); // What is brief is measured, and never twice the same.

  private static final MasterOptions MASTER_OPTIONS =
      MasterOptions.defaults()
          .withSessionCreationTimeout(Duration.ofSeconds(20))
          .withCallTimeout(Duration.ofSeconds(10))
          .withFailureGrace(Duration.ofSeconds(3))
          .withCloseTimeout(Duration.ofSeconds(3));

  /** Made once, since that takes longer than a simulation. */
  private static final OpRegistry REGISTRY = Ops.registry();

  private final Life life;
  private final Worker worker;
  private final Master master;

  /**
   * @param pushes whether values go to other tasks unasked
   */
  SimulatedTask(
      TaskName task, Life life, Scheduler scheduler, SeededIds ids, boolean pushes, Peers peers) {
    this.life = life;
    Executor pool = command -> scheduler.soon(life + " pool", command);
    SimulatedTimer timer = new SimulatedTimer(scheduler, life.toString());
    AddressBooks addressBooks = peers.of(this);
    Device device =
        new Device(
            task.device("CPU", 0),
            Allocator.shared(),
            BackendChoice.JAVA.backend(ParallelFor.INLINE),
            new ResourceContainers());
    this.worker =
        new Worker(
            new WorkerEnvironment(
                task,
                List.of(LocalDevice.of(device, ids.next())),
                REGISTRY,
                addressBooks,
                pool,
                timer,
                ids,
                WORKER_OPTIONS.withPushedTensors(pushes)));
    this.master =
        new Master(
            new MasterEnvironment(
                task,
                addressBooks,
                ConfigProto.getDefaultInstance(),
                REGISTRY,
                pool,
                timer,
                ids,
                MASTER_OPTIONS));
  }

  /** How a task gets to know the others. */
  interface Peers {
    AddressBooks of(SimulatedTask task);
  }

  Life life() {
    return life;
  }

  Worker worker() {
    return worker;
  }

  Master master() {
    return master;
  }

  /** Gives back all that the task holds, as a server that stops; done when the master has. */
  CompletableFuture<Void> close() {
    return master.shutDown().whenComplete((done, thrown) -> worker.close());
  }
}
