package dev.tributary.internal.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.step.PreparedSteps.PreparedStep;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PreparedStepsTest {
  private final List<String> prepared = new ArrayList<>();
  private final List<String> discarded = new ArrayList<>();
  private final PreparedSteps<String, String> steps =
      new PreparedSteps<>(2, this::prepare, discarded::add);

  private CompletableFuture<String> prepare(String key) {
    prepared.add(key);
    return CompletableFuture.completedFuture(key);
  }

  @Test
  void acquire_sameKeyTwice_preparesOnce() {
    PreparedStep<String> first = steps.acquire("a");
    PreparedStep<String> second = steps.acquire("a");

    assertThat(second).isSameAs(first);
    assertThat(first.await()).isEqualTo("a");
    assertThat(prepared).containsExactly("a");
  }

  @Test
  void acquire_oneMoreThanAreKept_discardsTheOneUsedLongestAgo() {
    use("a");
    use("b");
    use("a");
    use("c");

    assertThat(discarded).containsExactly("b");
    use("a");
    assertThat(prepared).containsExactly("a", "b", "c");
  }

  @Test
  void release_ofADroppedStep_discardsItWhenTheLastUserLeaves() {
    PreparedStep<String> first = steps.acquire("a");
    PreparedStep<String> again = steps.acquireAgain(first);
    use("b");
    use("c");
    steps.release(first);
    assertThat(discarded).isEmpty();

    steps.release(again);
    assertThat(discarded).containsExactly("a");
  }

  @Test
  void acquire_preparationFails_isTriedAgainNextTime() {
    List<String> attempts = new ArrayList<>();
    PreparedSteps<String, String> failing =
        new PreparedSteps<>(
            2,
            key -> {
              attempts.add(key);
              throw TributaryException.internal("attempt %d", attempts.size());
            },
            discarded::add);
    for (int i = 1; i <= 2; i++) {
      PreparedStep<String> step = failing.acquire("a");
      assertThat(step.isReady()).isFalse();
      assertThatThrownBy(step::await).hasMessage("attempt " + i);
      failing.release(step);
    }
    assertThat(discarded).isEmpty();
  }

  @Test
  void acquire_whileBeingPrepared_waitsForTheSameStep() {
    CompletableFuture<String> slow = new CompletableFuture<>();
    PreparedSteps<String, String> asynchronous =
        new PreparedSteps<>(1, key -> slow, discarded::add);
    PreparedStep<String> first = asynchronous.acquire("a");
    PreparedStep<String> second = asynchronous.acquire("a");
    asynchronous.close();
    asynchronous.release(first);
    asynchronous.release(second);
    assertThat(discarded).isEmpty();

    slow.complete("late");
    assertThat(second.await()).isEqualTo("late");
    assertThat(discarded).containsExactly("late");
  }

  @Test
  void close_withStepsInUse_discardsAllOnce() {
    PreparedStep<String> dropped = steps.acquire("a");
    PreparedStep<String> used = steps.acquire("b");
    use("c");
    use("d");
    steps.close();
    assertThat(discarded).containsExactlyInAnyOrder("a", "b", "c", "d");

    steps.release(dropped);
    steps.release(used);
    assertThat(discarded).hasSize(4);
  }

  @Test
  void acquire_afterClose_discardsTheStepWhenItIsReleased() {
    steps.close();
    PreparedStep<String> late = steps.acquire("a");
    assertThat(late.await()).isEqualTo("a");
    assertThat(discarded).isEmpty();

    steps.release(late);
    assertThat(discarded).containsExactly("a");
  }

  private void use(String key) {
    steps.release(steps.acquire(key));
  }
}
