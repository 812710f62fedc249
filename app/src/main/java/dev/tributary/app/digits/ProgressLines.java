package dev.tributary.app.digits;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Progress from one process to another, in lines: {@code status waiting for the model}, where a
 * status without text only means that the process is up, {@code step 40 loss 0.1234} a few times in
 * a second, and any other text as it is. Guarded by its own monitor.
 */
final class ProgressLines implements Progress {
  private static final Pattern STEP = Pattern.compile("step ([0-9]+) loss ([-+.0-9EeNaInfity]+)");
  private static final Pattern STATUS = Pattern.compile("status ?(.*)");
  private static final long NANOS_BETWEEN = Duration.ofMillis(100).toNanos();

  private final PrintWriter out;
  private final long steps;

  @GuardedBy("this")
  private long lastNanos = System.nanoTime() - NANOS_BETWEEN;

  /**
   * @param steps the last step, which is always printed
   */
  ProgressLines(PrintWriter out, long steps) {
    this.out = out;
    this.steps = steps;
  }

  @Override
  public void status(String text) {
    line(("status " + text).strip());
  }

  @Override
  public synchronized void step(long globalStep, float loss) {
    long now = System.nanoTime();
    if (now - lastNanos >= NANOS_BETWEEN || globalStep >= steps) {
      lastNanos = now;
      line("step " + globalStep + " loss " + loss);
    }
  }

  @Override
  public synchronized void line(String text) {
    out.println(text);
    out.flush();
  }

  @Override
  public void close() {
    // All is printed already.
  }

  /** Shows in {@code target} what a line of another process says. */
  static void relay(String line, Progress target) {
    Matcher step = STEP.matcher(line);
    Matcher status = STATUS.matcher(line);
    if (step.matches()) {
      target.step(Long.parseLong(step.group(1)), Float.parseFloat(step.group(2)));
    } else if (status.matches()) {
      target.status(status.group(1));
    } else {
      target.line(line);
    }
  }
}
