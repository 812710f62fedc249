package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.NamedTensor;
import dev.tributary.cluster.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.protocol.RunGraphResponse;
import dev.tributary.executor.StepTracer;
import dev.tributary.plan.wire.StepGraphDefs;
import dev.tributary.session.StepTrace;
import dev.tributary.session.wire.StepStatsProtos;
import dev.tributary.step.RegisteredGraph;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.StepStats;

/** What is recorded of a run, as far as its first call asked for it. */
record RunRecord(Optional<StepTracer> tracer, List<GraphDef> partitionGraphs) {
  static RunRecord of(RegisteredGraph graph, ExecutorOptions wanted) {
    return new RunRecord(
        wanted.recordTimeline() ? Optional.of(new StepTracer()) : Optional.empty(),
        wanted.recordPartitionGraphs()
            ? graph.partitions().stream().map(StepGraphDefs::toProto).toList()
            : List.of());
  }

  /** An answer with these values and what was recorded so far. */
  RunGraphResponse response(List<NamedTensor> received) {
    return new RunGraphResponse(
        received,
        tracer
            .map(nodes -> StepStatsProtos.toProto(StepTrace.of(nodes)))
            .orElse(StepStats.getDefaultInstance()),
        partitionGraphs);
  }
}
