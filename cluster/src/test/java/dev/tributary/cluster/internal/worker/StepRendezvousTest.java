package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.collective.CollectiveGroups;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.rendezvous.RendezvousContract;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.internal.time.Ticker;
import dev.tributary.ops.Ops;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rendezvous of a step within one task. */
class StepRendezvousTest extends RendezvousContract {
  private final StepRendezvous rendezvous =
      new StepRendezvous(1, new TransferLog(), RandomIds.ofProcess(), Ticker.SYSTEM);

  StepRendezvousTest() {
    rendezvous.join(session(), Optional.empty());
  }

  @Override
  protected Rendezvous rendezvous() {
    return rendezvous;
  }

  private static WorkerSession session() {
    return new WorkerSession(
        "session",
        TaskName.ofDevice(DEVICE),
        List.of(),
        new Peers(
            () -> {
              throw new AssertionError("asks another task");
            },
            new Traffic()),
        new CollectiveRuntime(
            new CollectiveGroups(ThreadTimer.shared()),
            Map.of(),
            ThreadTimer.shared(),
            CollectiveRuntime.USUAL_LIMIT),
        Ops.registry(),
        Limits.defaults(),
        SessionMemory.of(MemoryBudget.UNLIMITED, List.of()),
        () -> {
          throw new AssertionError("runs a graph");
        },
        () -> {});
  }
}
