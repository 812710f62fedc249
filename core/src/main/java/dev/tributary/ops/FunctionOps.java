package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.ShapeRules;
import java.util.List;

/**
 * The ends of a step graph: what the caller gives and what it gets. A session puts them in; clients
 * do not.
 */
final class FunctionOps {
  private FunctionOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("_Arg")
            .output("output: T")
            .attr("T: type")
            .attr("index: int >= 0")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(
                node -> {
                  int index = (int) node.attributes().integer("index");
                  return c -> c.setOutput(0, c.step().callFrame().argument(index).retain());
                })
            .notDifferentiable(),
        op("_Retval")
            .input("input: T")
            .attr("T: type")
            .attr("index: int >= 0")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(
                node -> {
                  int index = (int) node.attributes().integer("index");
                  return c -> c.step().callFrame().setResult(index, c.input(0).retain());
                })
            .notDifferentiable());
  }
}
