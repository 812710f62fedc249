package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.internal.executor.StepTracer;
import dev.tributary.internal.plan.wire.StepGraphDefs;
import dev.tributary.internal.session.wire.StepStatsProtos;
import dev.tributary.internal.step.RegisteredGraph;
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
  RunGraphResponse response(List<KeyedTensor> received) {
    return new RunGraphResponse(
        received,
        tracer
            .map(nodes -> StepStatsProtos.toProto(nodes.trace()))
            .orElse(StepStats.getDefaultInstance()),
        partitionGraphs);
  }
}
