package dev.tributary.internal.session.wire;

import dev.tributary.trace.StepTrace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

  /**
   * The record of another process. It tells the op of a node, if at all, in its label; the size of
   * outputs it may leave out.
   */
  public static StepTrace fromProto(StepStats stats) {
    List<StepTrace.NodeTrace> nodes = new ArrayList<>();
    for (DeviceStepStats device : stats.getDevStatsList()) {
      for (NodeExecStats node : device.getNodeStatsList()) {
        nodes.add(fromProto(device, node));
      }
    }
    return new StepTrace(nodes);
  }

  private static StepTrace.NodeTrace fromProto(DeviceStepStats device, NodeExecStats node) {
    long ready = nanos(node.getAllStartNanos(), node.getAllStartMicros());
    return new StepTrace.NodeTrace(
        node.getNodeName(),
        opIn(node.getTimelineLabel()),
        device.getDevice(),
        ready,
        ready + nanos(node.getOpStartRelNanos(), node.getOpStartRelMicros()),
        ready + nanos(node.getOpEndRelNanos(), node.getOpEndRelMicros()),
        device.getThreadNamesOrDefault(
            node.getThreadId(), Integer.toUnsignedString(node.getThreadId())),
        node.getOutputList().stream()
            .mapToLong(
                output ->
                    output.getTensorDescription().getAllocationDescription().getRequestedBytes())
            .sum());
  }

  /** Old processes tell microseconds only. */
  private static long nanos(long nanos, long micros) {
    return nanos != 0 ? nanos : micros * 1000;
  }

  /** Labels look like {@code name = Op(inputs)}. */
  private static String opIn(String label) {
    int start = label.indexOf(" = ");
    int end = label.indexOf('(', start);
    return start < 0 ? "" : label.substring(start + 3, end < 0 ? label.length() : end);
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
