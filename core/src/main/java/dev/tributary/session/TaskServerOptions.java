package dev.tributary.session;

import dev.tributary.security.ChannelSecurity;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The task that a {@link TaskServer} is. Immutable.
 *
 * @param cluster the addresses of all tasks by job and number
 * @param security how callers prove who they are
 * @param insecure whether anybody is let in where other machines reach the task
 */
public record TaskServerOptions(
    Map<String, SortedMap<Integer, String>> cluster,
    String job,
    int task,
    ChannelSecurity security,
    boolean insecure) {
  public TaskServerOptions {
    SortedMap<String, SortedMap<Integer, String>> copy = new TreeMap<>();
    cluster.forEach(
        (name, tasks) -> copy.put(name, Collections.unmodifiableSortedMap(new TreeMap<>(tasks))));
    cluster = Collections.unmodifiableSortedMap(copy);
  }
}
