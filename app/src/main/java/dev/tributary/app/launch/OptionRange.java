package dev.tributary.app.launch;

import dev.tributary.error.TributaryException;
import java.time.Duration;

/** Checks of numbers on the command line; a refusal names the option. */
public final class OptionRange {
  private static final long SECONDS_PER_YEAR = 365L * 24 * 60 * 60;

  private OptionRange() {}

  /** Returns the value if it is in the range, both ends included. */
  public static long require(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw TributaryException.invalidArgument(
          most >= Integer.MAX_VALUE
              ? "%s must be %d or more, got %d"
              : "%1$s must be %2$d to %4$d, got %3$d",
          option,
          least,
          value,
          most);
    }
    return value;
  }

  /** Returns the duration, which must be from a second to a year. */
  public static Duration seconds(String option, long value) {
    return Duration.ofSeconds(require(option, value, 1, SECONDS_PER_YEAR));
  }
}
