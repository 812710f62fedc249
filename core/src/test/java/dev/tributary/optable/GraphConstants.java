package dev.tributary.optable;

import dev.tributary.graph.Graph;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.Operation;

/** Gives back the tensors that a graph holds, once nobody uses the graph any more. */
public final class GraphConstants {
  private GraphConstants() {}

  public static void release(Graph graph) {
    for (Operation operation : graph.operations()) {
      if (operation.declaration().has(OpFlag.CONSTANT)) {
        operation.attributes().tensor("value").close();
      }
    }
  }
}
