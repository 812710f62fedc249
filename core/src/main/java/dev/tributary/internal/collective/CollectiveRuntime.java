package dev.tributary.internal.collective;

import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Map;

/**
 * The state that the collectives of a session's steps share.
 *
 * @param incarnations of this process's devices, by full name
 * @param limit the longest time that a collective takes, if its operation says nothing else
 */
public record CollectiveRuntime(
    CollectiveResolver resolver, Map<String, Long> incarnations, Timer timer, Duration limit) {
  /** The usual longest time. */
  public static final Duration USUAL_LIMIT = Duration.ofMinutes(5);

  public CollectiveRuntime {
    incarnations = Map.copyOf(incarnations);
  }

  CollectiveMember member(String device) {
    return new CollectiveMember(device, incarnations.getOrDefault(device, 0L), true);
  }
}
