package dev.tributary.cluster.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.collective.CollectiveGroups;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FakeClock;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Values that come before their steps. */
@NoLeaks
class StepTableTest {
  private static final String SENDER = "/job:ps/replica:0/task:0/device:CPU:0";
  private static final Duration LIMIT = Duration.ofHours(1);
  private static final Duration UNCLAIMED = Duration.ofSeconds(20);

  private final FakeClock clock = new FakeClock();
  private final StepTable steps =
      new StepTable(new TransferLog(), RandomIds.ofProcess(), clock, LIMIT, UNCLAIMED);

  /** A quarter of which are 100,000 bytes for unclaimed values. */
  private final MemoryBudget budget = new MemoryBudget(400_000, "a test");

  private final WorkerSession session = session("s");
  private final WorkerSession other = session("t");

  @Test
  void deliver_manyFreshSteps_takesNoMoreThanTheSessionsShare() {
    int taken = 0;
    for (int step = 1; step <= 80; step++) {
      taken += deliver(session, step, 10_000) ? 1 : 0;
    }

    assertThat(taken).isEqualTo(9);
    assertThat(session.unclaimed().held()).isBetween(90_000L, 100_000L);
    assertThat(deliver(other, 1000, 10_000)).as("another session").isTrue();
    steps.close(stopped());
    assertThat(session.unclaimed().held()).isZero();
    assertThat(other.unclaimed().held()).isZero();
  }

  @Test
  void deliver_manyEmptyValues_areCountedToo() {
    int taken = 0;
    for (int step = 1; step <= 1000; step++) {
      taken += deliver(session, step, 0) ? 1 : 0;
    }

    assertThat(taken).isLessThan(100);
    steps.close(stopped());
  }

  @Test
  void deliver_stepBegins_claimsTheValues() {
    deliver(session, 1, 50_000);

    steps.begin(1).join(session, Optional.empty());

    assertThat(session.unclaimed().held()).isZero();
    assertThat(deliver(session, 1, 99_000)).as("a step that runs").isTrue();
    steps.close(stopped());
  }

  @Test
  void watch_stepThatDoesNotBegin_isDroppedWithItsValues() {
    steps.watch();
    deliver(session, 1, 50_000);
    clock.advance(UNCLAIMED);
    assertThat(steps.size()).isEqualTo(1);

    clock.advance(UNCLAIMED.dividedBy(10));

    assertThat(steps.size()).isZero();
    assertThat(session.unclaimed().held()).isZero();
    assertThatThrownBy(() -> steps.begin(1))
        .isInstanceOfSatisfying(
            TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ABORTED));
  }

  @Test
  void deliver_valueThatDoesNotFit_failsItsStepWhenItBegins() {
    assertThat(deliver(session, 1, 200_000)).isFalse();
    StepRendezvous step = steps.begin(1);
    step.join(session, Optional.empty());

    CompletableFuture<RuntimeException> failure = new CompletableFuture<>();
    step.receiveForPeer(
        new RendezvousKey(session.task() + "/device:CPU:0", 1, "b", "x", 0, 0),
        new Rendezvous.Receiver() {
          @Override
          public void received(Optional<Tensor> value) {
            value.ifPresent(Tensor::close);
          }

          @Override
          public void failed(RuntimeException reason) {
            failure.complete(reason);
          }
        });

    assertThat(failure)
        .isCompletedWithValueMatching(
            e -> ((TributaryException) e).code() == ErrorCode.RESOURCE_EXHAUSTED);
  }

  /** Returns whether it was taken. */
  private boolean deliver(WorkerSession of, long step, int bytes) {
    try (Tensor value = Tensor.of(new boolean[bytes])) {
      steps.deliver(of, step, new RendezvousKey(SENDER, 1, "b", "x", 0, step), Optional.of(value));
      return true;
    } catch (TributaryException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
      return false;
    }
  }

  private WorkerSession session(String handle) {
    return new WorkerSession(
        handle,
        new TaskName("worker", 0),
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
        SessionMemory.of(budget, List.of()),
        () -> {
          throw new AssertionError("runs a graph");
        },
        () -> {});
  }

  private static TributaryException stopped() {
    return new TributaryException(ErrorCode.UNAVAILABLE, "the test is over");
  }
}
