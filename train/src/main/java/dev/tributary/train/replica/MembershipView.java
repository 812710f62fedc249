package dev.tributary.train.replica;

import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Ticker;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers that take part in training as one process sees them: those that have not left and
 * whose heartbeats arrive. Confined to one thread.
 */
final class MembershipView {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipView.class);

  private final int own;
  private final Optional<Liveness> liveness;
  private final Ticker ticker;
  private final Set<Integer> silent = new TreeSet<>();
  private long[] beats = {};
  private long[] beatNanos = {};

  /**
   * @param own the index of this worker, which is never taken for dead
   * @param liveness if empty, no worker is taken for dead
   */
  MembershipView(int own, Optional<Liveness> liveness) {
    this(own, liveness, Ticker.SYSTEM);
  }

  MembershipView(int own, Optional<Liveness> liveness, Ticker ticker) {
    this.own = own;
    this.liveness = liveness;
    this.ticker = ticker;
  }

  /** Returns the workers that take part, from what {@link Membership} holds now. */
  Set<Integer> update(long[] newBeats, long[] clocks) {
    noteBeats(newBeats);
    Set<Integer> present = new TreeSet<>();
    for (int worker = 0; worker < clocks.length; worker++) {
      if (clocks[worker] >= Membership.ABSENT) {
        continue;
      }
      if (isSilent(worker)) {
        noteSilence(worker);
      } else {
        present.add(worker);
        noteReturn(worker);
      }
    }
    return present;
  }

  private void noteBeats(long[] newBeats) {
    long now = ticker.nanos();
    if (beats.length != newBeats.length) {
      beatNanos = new long[newBeats.length];
      Arrays.fill(beatNanos, now);
    } else {
      for (int i = 0; i < beats.length; i++) {
        if (beats[i] != newBeats[i]) {
          beatNanos[i] = now;
        }
      }
    }
    beats = newBeats.clone();
  }

  private boolean isSilent(int worker) {
    return worker != own
        && liveness.isPresent()
        && ticker.nanos() - beatNanos[worker] > liveness.get().limit().toNanos();
  }

  private void noteSilence(int worker) {
    if (silent.add(worker)) {
      LOG.warn(
          "worker {} has not been heard from for {}; the others no longer wait for it",
          worker,
          TimeText.of(liveness.orElseThrow().limit()));
    }
  }

  private void noteReturn(int worker) {
    if (silent.remove(worker)) {
      LOG.info("worker {} is back", worker);
    }
  }
}
