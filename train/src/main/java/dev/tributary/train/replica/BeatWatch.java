package dev.tributary.train.replica;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tells which workers have been silent for too long. Confined to one thread. */
public final class BeatWatch {
  private final long limitNanos;
  private long[] beats = {};
  private long[] heardNanos = {};

  public BeatWatch(Duration limit) {
    this.limitNanos = limit.toNanos();
  }

  /**
   * The workers whose beats have not changed within the limit.
   *
   * @param now the beats of each worker so far; always as many
   * @param nanos the time at which they were read
   */
  public List<Integer> silent(long[] now, long nanos) {
    if (beats.length != now.length) {
      beats = now.clone();
      heardNanos = new long[now.length];
      Arrays.fill(heardNanos, nanos);
    }
    List<Integer> silent = new ArrayList<>();
    for (int i = 0; i < now.length; i++) {
      if (now[i] != beats[i]) {
        beats[i] = now[i];
        heardNanos[i] = nanos;
      } else if (nanos - heardNanos[i] > limitNanos) {
        silent.add(i);
      }
    }
    return silent;
  }
}
