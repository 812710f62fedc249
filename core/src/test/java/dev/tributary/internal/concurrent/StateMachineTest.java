package dev.tributary.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StateMachineTest {
  private enum State {
    RUNNING,
    STOPPING,
    STOPPED
  }

  private final StateMachine<State> states = new StateMachine<>(State.RUNNING);
  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void move_fromAnotherState_doesNothing() {
    assertThat(states.move(State.STOPPING, State.STOPPED)).isFalse();
    assertThat(states.is(State.RUNNING)).isTrue();

    assertThat(states.move(State.RUNNING, State.STOPPING)).isTrue();
    assertThat(states.is(State.STOPPING)).isTrue();
  }

  @Test
  void move_ofTwoThreadsAtOnce_succeedsOnce() throws Exception {
    for (int round = 0; round < 500; round++) {
      StateMachine<State> shared = new StateMachine<>(State.RUNNING);
      CyclicBarrier start = new CyclicBarrier(2);
      Callable<Boolean> stop =
          () -> {
            start.await(10, TimeUnit.SECONDS);
            return shared.move(State.RUNNING, State.STOPPING);
          };

      List<Future<Boolean>> moves = threads.invokeAll(List.of(stop, stop), 10, TimeUnit.SECONDS);

      assertThat(moves.get(0).get()).isNotEqualTo(moves.get(1).get());
    }
  }

  @Test
  void await_stateThatAnotherThreadReaches_returnsTrue() throws Exception {
    Future<Boolean> reached =
        threads.submit(() -> states.await(State.STOPPED, Duration.ofSeconds(20)));
    states.moveTo(State.STOPPING);
    states.moveTo(State.STOPPED);

    assertThat(reached.get(10, TimeUnit.SECONDS)).isTrue();
    states.await(State.STOPPED);
  }

  @Test
  void await_stateThatIsNotReached_endsAfterItsLimit() throws Exception {
    assertThat(states.await(State.STOPPED, Duration.ofMillis(5))).isFalse();
    assertThat(states.await(State.STOPPED, Duration.ZERO)).isFalse();
    assertThat(states.await(State.RUNNING, Duration.ZERO)).isTrue();
  }
}
