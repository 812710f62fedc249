package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.GraphFunction;
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

/**
 * Calls of functions, and loops of functions, whose arguments and results are on other tasks,
 * whoever runs the tasks and whoever asks.
 */
@RequiresStockTensorFlow
@Timeout(120)
class ClusterFunctionsTest {
  static Stream<Arguments> settings() {
    return Stream.of(Mix.values())
        .flatMap(mix -> Stream.of(ClusterClient.Kind.values()).map(c -> Arguments.of(mix, c)));
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void calls_betweenTasks_giveTheirResults(Mix mix, ClusterClient.Kind kind) throws Exception {
    try (ClusterClient client = kind.open(graph(), Clusters.of(mix).target(Task.WORKER_0))) {
      for (float x : new float[] {3, -1}) {
        try (Tensor fed = Tensor.scalar(x);
            Tensor called = run(client, fed, "called:0");
            Tensor looped = run(client, fed, "looped:0")) {
          assertThat(called.floatValue()).isEqualTo(x * x + 1);
          assertThat(looped.floatValue()).isEqualTo(doubledUpTo100(x * x + 1));
        }
      }
    }
  }

  private static Tensor run(ClusterClient client, Tensor x, String fetch) {
    return client.run(Map.of("x:0", x), List.of(fetch), List.of()).get(0);
  }

  private static float doubledUpTo100(float start) {
    float value = start;
    while (value < 100) {
      value *= 2;
    }
    return value;
  }

  private static GraphDef graph() {
    Ops tf = Ops.create();
    Ops ps = tf.withDevice(Task.PS.device());
    Ops worker = tf.withDevice(Task.WORKER_1.device());
    Output x = ps.withName("x").placeholder(DataType.FLOAT, Shape.scalar());
    GraphFunction affine =
        worker.function(
            "affine", (f, a) -> List.of(f.add(f.mul(a.get(0), a.get(0)), f.constant(1f))));
    Output squared =
        worker
            .scope()
            .operation("PartitionedCall")
            .inputList(List.of(x))
            .attr("Tout", AttrValue.ofTypes(List.of(DataType.FLOAT)))
            .attr("f", reference(affine, x))
            .buildOutput();
    Output called = ps.withName("called").identity(squared);
    GraphFunction less =
        worker.function("less", (f, a) -> List.of(f.less(a.get(0), f.constant(100f))));
    GraphFunction twice = worker.function("twice", (f, a) -> List.of(f.add(a.get(0), a.get(0))));
    Output loop =
        worker
            .scope()
            .operation("StatelessWhile")
            .inputList(List.of(called))
            .attr("cond", reference(less, x))
            .attr("body", reference(twice, x))
            .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.scalar())))
            .buildOutput();
    ps.withName("looped").identity(loop);
    return GraphDefs.toProto(tf.graph());
  }

  private static AttrValue reference(GraphFunction function, Output argument) {
    return new AttrValue.Function(function.traced(List.of(argument)).name(), Map.of());
  }
}
