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
      String range = most < Integer.MAX_VALUE ? least + " to " + most : least + " or more";
      throw TributaryException.invalidArgument("%s must be %s, got %d", option, range, value);
    }
    return value;
  }

  /** Returns the duration, which must be from a second to a year. */
  public static Duration seconds(String option, long value) {
    return Duration.ofSeconds(require(option, value, 1, SECONDS_PER_YEAR));
  }
}
