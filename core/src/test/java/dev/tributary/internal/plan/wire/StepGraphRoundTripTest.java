package dev.tributary.internal.plan.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.collective.CollectiveGroups;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.collective.Collectives;
import dev.tributary.internal.collective.RendezvousChunks;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.executor.Executor;
import dev.tributary.internal.function.FunctionExpansion;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.internal.step.DeviceSplit;
import dev.tributary.internal.step.GraphRun;
import dev.tributary.internal.step.RegisteredGraph;
import dev.tributary.internal.step.SessionDevice;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.ops.Ops;
import dev.tributary.optable.Draw;
import dev.tributary.optable.OpRow;
import dev.tributary.optable.OpTable;
import dev.tributary.optable.Script;
import dev.tributary.optable.TensorCompare;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;

/** The scripts of the op table, each step of which goes over a message before it runs. */
@NoLeaks
@Timeout(60)
class StepGraphRoundTripTest {
  private static final long SEED = 5;

  private final Device device =
      new Device(
          "/job:worker/replica:0/task:1/device:CPU:0",
          Allocator.shared(),
          new PlainBackend(ParallelFor.INLINE),
          new ResourceContainers());
  private final Map<String, SessionDevice> devices =
      Map.of(device.name(), new SessionDevice(device, 0));

  /** But for those of withdrawn ops, which no graph that we write may hold. */
  static Stream<OpRow> scripts() {
    OpRegistry registry = Ops.registry();
    return OpTable.rows().stream()
        .filter(row -> row.script().isPresent())
        .filter(row -> registry.lookup(row.op()).def().deprecatedAt().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void script_overMessages_givesTheSame(OpRow row) throws Exception {
    Draw draw = new Draw(SEED, row.types().get(0), Draw.Size.ORDINARY);
    try (Script script = row.script().get().apply(draw)) {
      for (Script.Step step : script.steps()) {
        run(script.tf().graph(), step);
      }
    } finally {
      device.resources().close();
    }
  }

  private void run(Graph graph, Script.Step step) throws Exception {
    StepSignature signature =
        new StepSignature(new ArrayList<>(step.feeds().keySet()), step.fetches(), step.targets());
    StepGraph pruned = Pruner.prune(graph, signature);
    FunctionExpansion.expand(pruned, graph);
    pruned.nodes().forEach(node -> node.place(device.name()));
    GraphDef def = StepGraphDefs.toProto(pruned);
    try (Graph owner = new Graph(graph.registry())) {
      StepGraph read = StepGraphDefs.fromProto(def, owner);
      // A control edge may lead back to a node made earlier, which is then read later.
      assertThat(StepGraphDefs.toProto(read).getNodeList())
          .containsExactlyInAnyOrderElementsOf(def.getNodeList());
      RegisteredGraph registered =
          RegisteredGraph.compile(
              read,
              graph,
              devices,
              new DeviceSplit(graph.registry(), devices),
              EnumSet.allOf(Rewrite.class),
              new Executor(Runnable::run, true),
              () -> {});
      try {
        run(registered, step);
      } finally {
        registered.close();
      }
    }
  }

  private static void run(RegisteredGraph graph, Script.Step step) throws Exception {
    CallFrame frame =
        new CallFrame(step.feeds().values().toArray(new Tensor[0]), step.fetches().size());
    CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
    LocalRendezvous rendezvous = new LocalRendezvous();
    new GraphRun(
            1,
            graph,
            frame,
            rendezvous,
            new Collectives(
                new CollectiveRuntime(
                    new CollectiveGroups(ThreadTimer.shared()),
                    Map.of(),
                    ThreadTimer.shared(),
                    CollectiveRuntime.USUAL_LIMIT),
                new RendezvousChunks(rendezvous)),
            Optional.empty(),
            new Cancellation(),
            done::complete)
        .startHere();
    assertThat(done.get(20, TimeUnit.SECONDS)).isEmpty();
    List<Tensor> expected = step.expected();
    for (int i = 0; i < expected.size(); i++) {
      TensorCompare.requireEqual("fetch " + i, frame.result(i), expected.get(i), 1e-5);
    }
    frame.releaseResults();
  }
}
