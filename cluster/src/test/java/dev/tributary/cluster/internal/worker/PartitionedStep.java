package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.partition.GraphPartitioner;
import dev.tributary.internal.partition.NodeNames;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.ClientBoundary;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.plan.wire.StepGraphDefs;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A step over all tasks of a cluster, planned and driven in the simplest way a master could. */
final class PartitionedStep {
  private final TestCluster cluster;
  private final String session;
  private final ClientBoundary boundary;
  private final List<Output> fetches;
  private final Map<Integer, String> handles = new HashMap<>();

  /** Feeds and fetches end at the first device of task 0. */
  PartitionedStep(
      TestCluster cluster,
      String session,
      Graph graph,
      NodeNames names,
      List<Output> fetches,
      List<Operation> targets) {
    this.cluster = cluster;
    this.session = session;
    this.fetches = fetches;
    Partition.End client = TestCluster.cpu(0);
    this.boundary = new ClientBoundary(client.device(), client.incarnation(), graph.registry());
    StepGraph step = Pruner.prune(graph, new StepSignature(List.of(), fetches, targets), boundary);
    new Placer(cluster.devices(), TestCluster.task(0).toString(), false, (op, type) -> true)
        .place(step);
    new GraphPartitioner(
            graph.registry(),
            names,
            device -> TaskName.ofDevice(device).toString(),
            TestCluster::incarnation)
        .partition(step)
        .forEach((task, part) -> register(TaskName.ofDevice(task).index(), part));
  }

  /** How many tasks take part. */
  int partCount() {
    return handles.size();
  }

  /** Runs the step; gives what was fetched, as floats. */
  List<Float> run(long step) {
    List<String> keys = fetches.stream().map(boundary::key).map(RendezvousKey::toString).toList();
    List<CompletableFuture<RunGraphResponse>> calls = new ArrayList<>();
    handles.forEach(
        (task, handle) -> {
          GraphCall call = GraphCall.runGraph(cluster.remote(task), session, handle, step);
          calls.add((task == 0 ? call.fetch(keys.toArray(new String[0])) : call).start());
        });
    Map<String, Float> values = new HashMap<>();
    for (CompletableFuture<RunGraphResponse> call : calls) {
      TestCluster.await(call)
          .received()
          .forEach(
              received -> {
                try (Tensor value = received.tensor()) {
                  values.put(received.key().toString(), value.floatValue());
                }
              });
    }
    handles
        .keySet()
        .forEach(
            task ->
                TestCluster.await(cluster.remote(task).cleanupGraph(step, CallOptions.defaults())));
    return keys.stream().map(values::get).toList();
  }

  private void register(int task, StepGraph part) {
    handles.put(
        task, TestCluster.await(cluster.register(task, session, StepGraphDefs.toProto(part))));
  }
}
