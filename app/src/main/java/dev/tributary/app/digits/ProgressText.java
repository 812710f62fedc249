package dev.tributary.app.digits;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The state of a training in words.
 *
 * @param step the global step
 * @param steps of the whole training
 * @param left about how long it still takes, if that is known yet
 */
record ProgressText(long step, long steps, float loss, Optional<Duration> left) {
  private static final int LEAST_BAR = 10;
  private static final int MOST_BAR = 50;

  /** A line with a bar. Where it is too narrow for all, the loss is the last that is left out. */
  String bar(int width) {
    String count = String.format(Locale.ROOT, "step %d/%d", shown(), steps);
    String percent = String.format(Locale.ROOT, "%3d %%", percent());
    String time = left.map(t -> clock(t) + " left  ").orElse("");
    String value = String.format(Locale.ROOT, "loss %.4f", loss);
    List<String> layouts =
        List.of(
            count + " " + percent + " \0 " + time + value,
            count + " " + percent + " \0 " + value,
            count + " " + percent + "  " + value,
            percent.strip() + "  " + value);
    for (String layout : layouts) {
      int bar = Math.min(MOST_BAR, width - layout.length() + 1);
      boolean hasBar = layout.indexOf('\0') >= 0;
      if (hasBar ? bar >= LEAST_BAR : layout.length() <= width) {
        return hasBar ? layout.replace("\0", bar(bar, shown(), steps)) : layout;
      }
    }
    return value.substring(0, Math.min(width, value.length()));
  }

  /** A line for a file. */
  String plain() {
    return String.format(
        Locale.ROOT,
        "step %d of %d (%d %%), loss %.4f%s",
        shown(),
        steps,
        percent(),
        loss,
        left.map(t -> ", " + clock(t) + " left").orElse(""));
  }

  /** Workers that step each for themselves may all make a step when one is left. */
  private long shown() {
    return Math.min(step, steps);
  }

  private long percent() {
    return shown() * 100 / steps;
  }

  private static String bar(int width, long part, long whole) {
    int inner = width - 2;
    int full = (int) (part * inner / whole);
    String head = full < inner ? ">" : "";
    return "[" + "=".repeat(full) + head + " ".repeat(inner - full - head.length()) + "]";
  }

  private static String clock(Duration time) {
    return time.toHours() > 0
        ? String.format(Locale.ROOT, "%d:%02d h", time.toHours(), time.toMinutesPart())
        : String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
  }
}
