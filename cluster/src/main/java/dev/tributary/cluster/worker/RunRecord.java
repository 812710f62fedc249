package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.executor.StepTracer;
import dev.tributary.session.StepTrace;
import dev.tributary.session.wire.StepStatsProtos;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.StepStats;

/** What is recorded of a run, as far as its first call asked for it. */
record RunRecord(Optional<StepTracer> tracer, List<GraphDef> partitionGraphs) {
  static RunRecord of(RegisteredGraph graph, ExecutorOptions wanted) {
    return new RunRecord(
        wanted.recordTimeline() ? Optional.of(new StepTracer()) : Optional.empty(),
        wanted.recordPartitionGraphs() ? graph.partitionGraphs() : List.of());
  }

  /** When the nodes ran, so far. */
  StepStats stepStats() {
    return tracer
        .map(nodes -> StepStatsProtos.toProto(StepTrace.of(nodes)))
        .orElse(StepStats.getDefaultInstance());
  }
}
