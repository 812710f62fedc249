package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which silent peers end calls, when, and which do not. */
class HeartbeatTest {
  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration BEAT = SILENCE.dividedBy(10);
  private static final Optional<Duration> NO_LIMIT = Optional.empty();

  private final FakeClock clock = new FakeClock();
  private final List<CompletableFuture<Void>> checks = new ArrayList<>();
  private final List<TributaryException> ends = new ArrayList<>();
  private int lost;
  private final Heartbeat heartbeat =
      new Heartbeat("the master at here:1", clock, SILENCE, this::check, () -> lost++);

  @Test
  void call_peerSaysNothing_endsWithinTheLimitAndTellsSo() {
    began("call", NO_LIMIT);

    beat(8);
    assertThat(ends).as("before the limit").isEmpty();
    beat(1);

    assertThat(ends).hasSize(1);
    assertThat(ends.get(0).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(ends.get(0))
        .hasMessageContaining("the master at here:1: silent, last heard from never")
        .hasMessageContaining("CloseSession waits for it");
    assertThat(heartbeat.isLost()).isTrue();
    assertThat(lost).isEqualTo(1);
    assertThat(checks).as("one question at a time").hasSize(1);
  }

  @Test
  void call_peerThatAnswersChecks_waitsOn() {
    began("call", NO_LIMIT);

    for (int i = 0; i < 50; i++) {
      beat(1);
      answerChecks();
    }

    assertThat(ends).isEmpty();
    assertThat(heartbeat.isLost()).isFalse();
    assertThat(heartbeat.lastHeard()).hasValueSatisfying(t -> assertThat(t).isLessThan(SILENCE));
  }

  @Test
  void call_peerThatAnswersOthers_isNeverAsked() {
    began("call", NO_LIMIT);

    for (int i = 0; i < 50; i++) {
      heartbeat.heard();
      beat(1);
    }

    assertThat(checks).isEmpty();
    assertThat(ends).isEmpty();
  }

  @Test
  void call_peerWithoutChecks_isNotWatched() {
    began("call", NO_LIMIT);
    beat(2);
    checks.get(0).completeExceptionally(TributaryException.unimplemented("no such service"));

    beat(50);

    assertThat(ends).isEmpty();
    assertThat(checks).hasSize(1);
  }

  @Test
  void call_longLimitIsOver_endsWithTheNextBeat() {
    Duration limit = Duration.ofMinutes(5);
    began("call", Optional.of(limit));

    for (Duration time = Duration.ZERO; time.compareTo(limit) < 0; time = time.plus(BEAT)) {
      heartbeat.heard();
      beat(1);
    }
    assertThat(ends).isEmpty();
    beat(1);

    assertThat(ends).hasSize(1);
    assertThat(ends.get(0).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(ends.get(0)).hasMessageContaining("CloseSession had no answer within 300 s");
  }

  @Test
  void call_toALostPeer_endsAfterTwoBeatsUntilItIsHeardFrom() {
    began("first", NO_LIMIT);
    beat(9);
    ends.clear();

    began("second", NO_LIMIT);
    beat(1);
    assertThat(ends).isEmpty();
    beat(1);
    assertThat(ends).hasSize(1);

    heartbeat.heard();
    assertThat(heartbeat.isLost()).isFalse();
    began("third", NO_LIMIT);
    beat(3);
    assertThat(ends).hasSize(1);
  }

  @Test
  void beats_noCallWaits_end() {
    began("call", NO_LIMIT);
    beat(1);

    heartbeat.ended("call", Optional.empty());
    beat(1);

    assertThat(clock.pending()).isZero();
  }

  @Test
  void close_whileACallWaits_endsBeats() {
    began("call", NO_LIMIT);

    heartbeat.close();
    beat(1);

    assertThat(clock.pending()).isZero();
    assertThat(ends).isEmpty();
  }

  private void began(String call, Optional<Duration> limit) {
    heartbeat.began(
        call,
        "CloseSession",
        limit,
        reason -> {
          ends.add(reason);
          heartbeat.ended(call, Optional.of(reason));
        });
  }

  private void beat(int count) {
    for (int i = 0; i < count; i++) {
      clock.advance(BEAT);
    }
  }

  private CompletableFuture<Void> check() {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    checks.add(answer);
    return answer;
  }

  /** As a peer does: the answer of a check is a call that ends, like any other. */
  private void answerChecks() {
    checks.forEach(
        check -> {
          if (check.complete(null)) {
            heartbeat.ended(check, Optional.empty());
          }
        });
  }
}
