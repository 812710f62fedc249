package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.RandomIds;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.ops.Ops;
import dev.tributary.rendezvous.Rendezvous;
import dev.tributary.rendezvous.RendezvousContract;
import java.util.List;
import java.util.Optional;

/** The rendezvous of a step within one task. */
class StepRendezvousTest extends RendezvousContract {
  private final StepRendezvous rendezvous =
      new StepRendezvous(1, new TransferLog(), RandomIds.ofProcess());

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
            }),
        Ops.registry(),
        Limits.defaults(),
        () -> {
          throw new AssertionError("runs a graph");
        },
        () -> {});
  }
}
