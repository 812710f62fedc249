package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;

/** A pipeline on one task feeds ops on another one, whoever runs the tasks and whoever asks. */
@RequiresStockTensorFlow
@Timeout(120)
class ClusterDatasetTest {
  static Stream<Arguments> settings() {
    return Stream.of(Mix.values())
        .flatMap(mix -> Stream.of(ClusterClient.Kind.values()).map(c -> Arguments.of(mix, c)));
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void pipeline_onWorker_feedsThePs(Mix mix, ClusterClient.Kind kind) throws Exception {
    try (ClusterClient client = kind.open(graph(), Clusters.of(mix).target(Task.WORKER_0))) {
      for (int pass = 0; pass < 2; pass++) {
        client.runTarget("initialise");

        // TensorFlow's order of 0 to 9 for these seeds, squared.
        assertThat(floats(client)).containsExactly(81, 0, 64, 36);
        assertThat(floats(client)).containsExactly(1, 9, 49, 4);
        assertThat(floats(client)).containsExactly(16, 25);
        RuntimeException end = catchThrowableOfType(RuntimeException.class, () -> floats(client));
        assertThat(client.codeOf(end)).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(end).hasMessageContaining("End of sequence");
      }
    }
  }

  private static float[] floats(ClusterClient client) {
    try (Tensor value = client.run(Map.of(), List.of("floats:0"), List.of()).get(0)) {
      return value.toFloats();
    }
  }

  private static GraphDef graph() {
    Ops tf = Ops.create();
    Ops ps = tf.withDevice(Task.PS.device());
    Ops worker = tf.withDevice(Task.WORKER_1.device());
    Output range =
        elements(
                worker
                    .scope()
                    .operation("RangeDataset")
                    .input(worker.constant(0L))
                    .input(worker.constant(10L))
                    .input(worker.constant(1L)))
            .buildOutput();
    Output shuffled =
        elements(
                worker
                    .scope()
                    .operation("ShuffleDataset")
                    .input(range)
                    .input(worker.constant(10L))
                    .input(worker.constant(1L))
                    .input(worker.constant(2L))
                    .attr("reshuffle_each_iteration", false))
            .buildOutput();
    String square =
        worker
            .function("square", (f, x) -> List.of(f.mul(x.get(0), x.get(0))))
            .traced(List.of(worker.placeholder(DataType.INT64, Shape.scalar())))
            .name();
    Output mapped =
        elements(
                worker
                    .scope()
                    .operation("ParallelMapDatasetV2")
                    .input(shuffled)
                    .inputList(List.of())
                    .input(worker.constant(2L))
                    .attr("f", new AttrValue.Function(square, Map.of())))
            .buildOutput();
    Output batched =
        elements(
                worker
                    .scope()
                    .operation("BatchDatasetV2")
                    .input(mapped)
                    .input(worker.constant(4L))
                    .input(worker.constant(false)))
            .buildOutput();
    Output iterator =
        elements(
                worker
                    .scope()
                    .operation("IteratorV2")
                    .attr("shared_name", "")
                    .attr("container", ""))
            .buildOutput();
    worker
        .withName("initialise")
        .scope()
        .operation("MakeIterator")
        .input(batched)
        .input(iterator)
        .build();
    Output next =
        elements(worker.scope().operation("IteratorGetNext").input(iterator)).buildOutput();
    ps.withName("floats").cast(next, DataType.FLOAT);
    return GraphDefs.toProto(tf.graph());
  }

  private static OperationBuilder elements(OperationBuilder builder) {
    return builder
        .attr("output_types", AttrValue.ofTypes(List.of(DataType.INT64)))
        .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.unknown())));
  }
}
