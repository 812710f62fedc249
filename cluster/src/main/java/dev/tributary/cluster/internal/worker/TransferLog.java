package dev.tributary.cluster.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.LoggingRequest;
import dev.tributary.cluster.internal.protocol.LoggingResponse;
import dev.tributary.internal.rendezvous.RendezvousKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.tensorflow.proto.DeviceStepStats;
import org.tensorflow.proto.NodeExecStats;
import org.tensorflow.proto.StepStats;

/**
 * A log of the values received from other tasks, by step, while it is turned on. It forgets
 * everything when it has grown too large. Guarded by its own monitor.
 */
final class TransferLog {
  private static final int MAX_TRANSFERS = 1 << 16;
  private static final long MEGABYTE = 1 << 20;

  @GuardedBy("this")
  private final Map<Long, Map<String, DeviceStepStats.Builder>> steps = new HashMap<>();

  private volatile int listeners;

  @GuardedBy("this")
  private int transfers;

  boolean isEnabled() {
    return listeners > 0;
  }

  /** Adds a transfer that has just ended; times are microseconds since 1970. */
  synchronized void add(
      long step, RendezvousKey key, long bytes, long startMicros, long endMicros) {
    if (!isEnabled()) {
      return;
    }
    if (transfers == MAX_TRANSFERS) {
      clear();
    }
    transfers++;
    steps
        .computeIfAbsent(step, s -> new LinkedHashMap<>())
        .computeIfAbsent(key.recvDevice(), device -> DeviceStepStats.newBuilder().setDevice(device))
        .addNodeStats(stats(key, bytes, startMicros, endMicros));
  }

  /** Does what a master asks. One that does not ask to go on wants no more of it. */
  synchronized LoggingResponse answer(LoggingRequest request) {
    if (request.enable()) {
      listeners++;
    }
    if (request.clear()) {
      clear();
    }
    if (!request.enable() || request.disable()) {
      listeners = Math.max(0, listeners - 1);
    }
    Map<Long, StepStats> wanted = new HashMap<>();
    for (Long step : request.fetchSteps()) {
      StepStats.Builder stats = StepStats.newBuilder();
      steps.getOrDefault(step, Map.of()).values().forEach(stats::addDevStats);
      wanted.put(step, stats.build());
    }
    return new LoggingResponse(wanted);
  }

  @GuardedBy("this")
  private void clear() {
    steps.clear();
    transfers = 0;
  }

  private static NodeExecStats stats(RendezvousKey key, long bytes, long start, long end) {
    return NodeExecStats.newBuilder()
        .setNodeName("RecvTensor")
        .setTimelineLabel(
            size(bytes)
                + " "
                + key.tensorName()
                + " from "
                + key.sendDevice()
                + " to "
                + key.recvDevice())
        .setAllStartMicros(start)
        .setOpEndRelMicros(end - start)
        .setAllEndRelMicros(end - start)
        .build();
  }

  private static String size(long bytes) {
    return bytes < MEGABYTE / 10
        ? "[" + bytes + "B]"
        : String.format(Locale.ROOT, "[%.1fMB]", (double) bytes / MEGABYTE);
  }
}
