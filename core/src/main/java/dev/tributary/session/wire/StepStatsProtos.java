package dev.tributary.session.wire;

import dev.tributary.session.StepTrace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.tensorflow.proto.DeviceStepStats;
import org.tensorflow.proto.NodeExecStats;
import org.tensorflow.proto.StepStats;

/**
 * Traces as TensorFlow's {@code StepStats} messages, in which each node's times count from when it
 * was ready.
 */
public final class StepStatsProtos {
  private StepStatsProtos() {}

  public static StepStats toProto(StepTrace trace) {
    Map<String, DeviceStepStats.Builder> devices = new LinkedHashMap<>();
    Map<String, Integer> threads = new LinkedHashMap<>();
    for (StepTrace.NodeTrace node : trace.nodes()) {
      int thread = threads.computeIfAbsent(node.thread(), key -> threads.size());
      devices
          .computeIfAbsent(node.device(), name -> DeviceStepStats.newBuilder().setDevice(name))
          .addNodeStats(toProto(node, thread))
          .putThreadNames(thread, node.thread());
    }
    StepStats.Builder stats = StepStats.newBuilder();
    devices.values().forEach(stats::addDevStats);
    return stats.build();
  }

  private static NodeExecStats toProto(StepTrace.NodeTrace node, int thread) {
    long ready = node.readyNanos();
    long start = node.startNanos() - ready;
    long end = node.endNanos() - ready;
    return NodeExecStats.newBuilder()
        .setNodeName(node.name())
        .setTimelineLabel(node.name() + " = " + node.op())
        .setThreadId(thread)
        .setScheduledMicros(ready / 1000)
        .setScheduledNanos(ready)
        .setAllStartMicros(ready / 1000)
        .setAllStartNanos(ready)
        .setOpStartRelMicros(start / 1000)
        .setOpStartRelNanos(start)
        .setOpEndRelMicros(end / 1000)
        .setOpEndRelNanos(end)
        .setAllEndRelMicros(end / 1000)
        .setAllEndRelNanos(end)
        .build();
  }
}
