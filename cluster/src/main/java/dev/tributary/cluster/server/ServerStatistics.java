package dev.tributary.cluster.server;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counters of a server at one moment, for operators. They count from the start of the server.
 *
 * @param sessions open at this server's master
 * @param steps run by this server's master, well or not
 * @param runs parts of steps, of whichever master, run by this server's worker
 * @param failures of calls to this server's master and worker, by code
 * @param bytesSent bytes of tensors that steps have sent to other tasks
 * @param bytesReceived bytes of tensors that steps have received from other tasks
 * @param memoryUsed bytes of values and messages that count against the limit
 * @param memoryLimit see {@link dev.tributary.cluster.spec.Limits#memoryBytes}
 * @param tensors buffers of tensors that are held in this process, by all its servers and sessions
 */
public record ServerStatistics(
    int sessions,
    Timed steps,
    Timed runs,
    Map<ErrorCode, Long> failures,
    Map<TaskName, Long> bytesSent,
    Map<TaskName, Long> bytesReceived,
    long memoryUsed,
    long memoryLimit,
    long tensors) {
  /** A number of pieces of work, and the time that they have taken together. */
  public record Timed(long count, Duration total) {}

  public ServerStatistics {
    failures = Collections.unmodifiableMap(new TreeMap<>(failures));
    bytesSent = Collections.unmodifiableMap(new TreeMap<>(bytesSent));
    bytesReceived = Collections.unmodifiableMap(new TreeMap<>(bytesReceived));
  }
}
