package dev.tributary.app.launch;

import java.util.OptionalInt;

/**
 * The number of a task on a command line.
 *
 * @param number empty if the process finds out by itself ({@code auto})
 */
public record TaskNumber(OptionalInt number) {
  /** The value of the option that leaves the number to the environment. */
  public static final String AUTO = "auto";

  public static TaskNumber of(int number) {
    return new TaskNumber(OptionalInt.of(number));
  }

  public static TaskNumber auto() {
    return new TaskNumber(OptionalInt.empty());
  }

  public boolean isAuto() {
    return number.isEmpty();
  }

  @Override
  public String toString() {
    return isAuto() ? AUTO : Integer.toString(number.getAsInt());
  }
}
