package dev.tributary.interop;

import dev.tributary.interop.TestCluster.Task;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Map;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/** Small graphs for clusters, written by hand. */
final class ClusterGraphs {
  private ClusterGraphs() {}

  /**
   * A variable on the ps that {@code init} sets to 0, {@code increment} adds 1 to, and {@code
   * read:0} gives.
   */
  static GraphDef counter(String container) {
    return Nodes.graph(
        on(Task.PS, variable("v", container)),
        on(Task.PS, Nodes.constant("zero", Tensor.scalar(0f))),
        on(Task.WORKER_1, Nodes.constant("one", Tensor.scalar(1f))),
        on(Task.PS, binary("init", "Assign", "v", "zero")),
        on(Task.PS, binary("increment", "AssignAdd", "v", "one")),
        on(Task.WORKER_1, unary("read", "Identity", "v")));
  }

  static NodeDef variable(String name, String container) {
    return Nodes.node(
        name,
        "VariableV2",
        Map.of(
            "dtype",
            Nodes.type(DataType.FLOAT),
            "shape",
            Nodes.shape(Shape.scalar()),
            "container",
            Nodes.text(container)));
  }

  static NodeDef unary(String name, String op, String input) {
    return Nodes.node(name, op, Map.of("T", Nodes.type(DataType.FLOAT)), input);
  }

  static NodeDef binary(String name, String op, String a, String b) {
    return Nodes.node(name, op, Map.of("T", Nodes.type(DataType.FLOAT)), a, b);
  }

  static NodeDef on(Task task, NodeDef node) {
    return node.toBuilder().setDevice(task.device()).build();
  }
}
