package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tributary.graph.Graph;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.plan.wire.StepGraphDefs;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.GraphDef;

class StatefulKernelsTest {
  private final Device device =
      new Device(
          "/job:test/replica:0/task:0/device:CPU:0",
          Allocator.shared(),
          new PlainBackend(ParallelFor.INLINE),
          new ResourceContainers());

  @Test
  void close_resourceThatOnlyItsNodeKnows_isDropped() {
    Ops tf = Ops.create();
    tf.withName("own").lookup.mutableHashTable(DataType.STRING, DataType.INT64).size();
    tf.lookup.mutableHashTable(DataType.STRING, DataType.INT64, "shared").size();
    StatefulKernels kernels = new StatefulKernels();
    run(tf.graph(), kernels);
    assertThat(resources()).containsPattern("_\\d+_own").contains("shared");

    kernels.close();

    assertThat(resources()).doesNotContain("own").contains("shared");
    tf.graph().close();
  }

  private void run(Graph graph, StatefulKernels kernels) {
    GraphDef.Builder def = GraphDefs.toProto(graph).toBuilder();
    def.getNodeBuilderList().forEach(node -> node.setDevice(device.name()));
    Graph constants = new Graph(graph.registry());
    ExecutableGraph compiled =
        GraphCompiler.compile(StepGraphDefs.fromProto(def.build(), constants), device, kernels);
    CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
    new Executor(Runnable::run, true)
        .prepare(
            compiled,
            new Step(1, new Cancellation(), CallFrame.empty(), new LocalRendezvous()),
            Optional.empty(),
            done::complete)
        .start();
    assertThat(done).isCompletedWithValue(Optional.empty());
    constants.close();
  }

  /** What a failed look-up lists. */
  private String resources() {
    return catchThrowable(
            () -> device.resources().container("").lookup("no such name", VariableResource.class))
        .getMessage();
  }
}
