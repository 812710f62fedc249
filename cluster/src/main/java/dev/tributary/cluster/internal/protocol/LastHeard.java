package dev.tributary.cluster.internal.protocol;

import dev.tributary.cluster.spec.TaskName;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats, for errors, the time since a task was last heard from. */
public final class LastHeard {
  private LastHeard() {}

  /** {@code 3.2 s ago}, or {@code never}. */
  public static String text(Optional<Duration> ago) {
    return ago.map(time -> String.format(Locale.ROOT, "%.1f s ago", time.toMillis() / 1e3))
        .orElse("never");
  }

  /** Tasks, each with when it was last heard from. */
  public static String of(Workers workers, Collection<TaskName> tasks) {
    return tasks.stream()
        .map(
            task ->
                task
                    + " (last heard from "
                    + text(workers.lastHeard(task))
                    + workers.lastFailure(task).map(why -> ": " + why).orElse("")
                    + ")")
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
