package dev.tributary.app.digits;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Progress from one process to another: a line for each of a few steps, {@code step 40 loss
 * 0.1234}.
 */
final class ProgressLines implements Progress {
  private static final Pattern LINE = Pattern.compile("step ([0-9]+) loss ([-+.0-9EeNaInfity]+)");
  private static final int STEPS_BETWEEN = 5;

  private final PrintWriter out;
  private final int steps;

  ProgressLines(PrintWriter out, int steps) {
    this.out = out;
    this.steps = steps;
  }

  @Override
  public void step(int step, float loss) {
    if (step % STEPS_BETWEEN == 0 || step == steps) {
      out.println("step " + step + " loss " + loss);
      out.flush();
    }
  }

  /** What a line tells. */
  record Position(int step, float loss) {}

  /** What a line tells, if it is one of progress. */
  static Optional<Position> parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? Optional.of(
            new Position(Integer.parseInt(matcher.group(1)), Float.parseFloat(matcher.group(2))))
        : Optional.empty();
  }
}
