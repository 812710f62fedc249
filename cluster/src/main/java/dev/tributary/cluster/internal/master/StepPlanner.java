package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.TensorName;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.partition.GraphPartitioner;
import dev.tributary.internal.partition.NodeNames;
import dev.tributary.internal.plan.ClientBoundary;
import dev.tributary.internal.plan.FeedDependencies;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.plan.wire.StepGraphDefs;
import dev.tributary.internal.rendezvous.RendezvousKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.GraphDef;

/**
 * Works out for a kind of step what each task has to run: prunes the session's graph, and cuts it
 * by tasks. Safe for use by many threads.
 */
final class StepPlanner {
  private final SessionGraph graph;
  private final String clientDevice;
  private final ClientBoundary client;
  private final GraphPartitioner partitioner;

  StepPlanner(SessionGraph graph, DeviceCatalogue devices) {
    this.graph = graph;
    this.clientDevice = devices.clientDevice().getName();
    this.client =
        new ClientBoundary(
            clientDevice, devices.clientDevice().getIncarnation(), graph.graph().registry());
    this.partitioner =
        new GraphPartitioner(
            graph.graph().registry(),
            NodeNames.ofMaster(),
            device -> TaskName.ofDevice(device).toString(),
            devices::incarnation);
  }

  StepPlan plan(StepKey key) {
    Map<String, Output> feeds = resolved(key.feeds());
    Map<String, Output> fetches = resolved(key.fetches());
    List<Operation> targets = key.targets().stream().map(graph.graph()::operation).toList();
    if (fetches.isEmpty() && targets.isEmpty()) {
      throw TributaryException.invalidArgument(
          "Must specify at least one target to fetch or execute.");
    }
    List<Output> fed = new ArrayList<>(feeds.values());
    List<Output> fetched = new ArrayList<>(fetches.values());
    key.connections().forEach(c -> fed.add(output(c.getToTensor())));
    key.connections().forEach(c -> fetched.add(output(c.getFromTensor())));
    StepBoundary boundary =
        new StepBoundary(
            client, clientDevice, graph.graph().registry(), feeds.size(), fetches.size());
    // Messages are made under the graph's monitor, since closing it frees its constants.
    synchronized (graph) {
      StepGraph step =
          boundary.connect(graph.prune(new StepSignature(fed, fetched, targets), boundary));
      Map<String, Set<String>> dependencies =
          key.partial() ? dependencies(feeds, fetches) : Map.of();
      return new StepPlan(
          ends(feeds, fetches, dependencies), CollectiveSteps.of(step), partitions(step));
    }
  }

  private Map<TaskName, GraphDef> partitions(StepGraph step) {
    Map<TaskName, GraphDef> partitions = new HashMap<>();
    partitioner
        .partition(step)
        .forEach(
            (task, part) ->
                partitions.put(
                    TaskName.ofDevice(task),
                    StepGraphDefs.toProto(part, FunctionLibrary.of(graph.graph()))));
    return partitions;
  }

  private RegisteredStep.Ends ends(
      Map<String, Output> feeds,
      Map<String, Output> fetches,
      Map<String, Set<String>> dependencies) {
    Map<String, RegisteredStep.Feed> feedKeys = new HashMap<>();
    feeds.forEach(
        (name, output) ->
            feedKeys.put(name, new RegisteredStep.Feed(client.key(output), output.type())));
    Map<String, RendezvousKey> fetchKeys = new HashMap<>();
    fetches.forEach((name, output) -> fetchKeys.put(name, client.key(output)));
    return new RegisteredStep.Ends(feedKeys, fetchKeys, dependencies);
  }

  /** The feeds that each fetch depends on, by the client's names. */
  private static Map<String, Set<String>> dependencies(
      Map<String, Output> feeds, Map<String, Output> fetches) {
    Map<Output, Set<Output>> needed =
        FeedDependencies.of(
            new StepSignature(
                List.copyOf(feeds.values()), List.copyOf(fetches.values()), List.of()));
    Map<String, Set<String>> dependencies = new HashMap<>();
    fetches.forEach(
        (name, fetch) -> {
          Set<String> names = new HashSet<>(feeds.keySet());
          names.removeIf(feed -> !needed.get(fetch).contains(feeds.get(feed)));
          dependencies.put(name, names);
        });
    return dependencies;
  }

  private Map<String, Output> resolved(List<String> names) {
    Map<String, Output> outputs = new LinkedHashMap<>();
    names.forEach(name -> outputs.put(name, output(name)));
    return outputs;
  }

  private Output output(String text) {
    TensorName name = TensorName.parse(text);
    if (name.isControl()) {
      throw TributaryException.invalidArgument(
          "'%s' names an operation, wanted a tensor: operation:index", text);
    }
    Operation operation = graph.graph().operation(name.operation());
    if (name.index() >= operation.outputCount()) {
      throw TributaryException.invalidArgument(
          "'%s' is not there, %s has %d outputs", text, operation, operation.outputCount());
    }
    return operation.output(name.index());
  }
}
