package dev.tributary.cluster.internal.protocol;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.List;

/**
 * A question for the tasks of a master's cluster.
 *
 * @param deviceFilters the tasks to ask, as parts of device names; all if empty
 * @param limit how long a task may take to answer
 */
public record ListTasksRequest(List<String> deviceFilters, Duration limit) {
  private static final Duration LONGEST = Duration.ofDays(1);

  public ListTasksRequest {
    if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST) > 0) {
      throw TributaryException.invalidArgument(
          "the limit for the answers of tasks must be more than 0 and at most a day, got %d ms",
          limit.toMillis());
    }
    deviceFilters = List.copyOf(deviceFilters);
  }
}
