package dev.tributary.internal.rewrite;

import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one node of gradient descent and the product of matrices which is its gradient, so that the
 * product is added to the variable where it stands. Nobody else may want the product, neither as a
 * value nor for its order, and both must run on one device. The new node has the update's name and
 * waits for what either waited for.
 */
public final class DescentFusion {
  /** The input of the update that is subtracted. */
  private static final int DELTA = 2;

  private DescentFusion() {}

  /** Fuses what it can, and returns the number of fused nodes. */
  public static int run(StepGraph graph) {
    Consumers consumers = new Consumers(graph);
    Map<StepNode, StepNode> fused = new HashMap<>();
    for (StepNode update : graph.nodes()) {
      Optional<OpDeclaration> op =
          update
              .declaration()
              .fusion()
              .filter(FusionRole.Descent.class::isInstance)
              .map(role -> ((FusionRole.Descent) role).fused());
      if (op.isEmpty()) {
        continue;
      }
      StepNode product = update.inputs().get(DELTA).node();
      boolean fits =
          isProduct(product)
              && consumers.of(product).equals(List.of(update))
              && !graph.isRoot(product)
              && product.device().equals(update.device());
      if (fits) {
        fused.put(update, fusedNode(op.get(), product, update));
      }
    }
    if (!fused.isEmpty()) {
      graph.exchange(fused);
      graph.prune();
    }
    return fused.size();
  }

  private static boolean isProduct(StepNode node) {
    return node.declaration()
        .fusion()
        .filter(FusionRole.Product.class::isInstance)
        .map(FusionRole.Product.class::cast)
        .filter(FusionRole.Product::isOfMatrices)
        .filter(product -> product.types().contains(node.attributes().type("T")))
        .filter(product -> node.inputs().stream().noneMatch(StepNode.Source::isRef))
        .isPresent();
  }

  private static StepNode fusedNode(OpDeclaration fused, StepNode product, StepNode update) {
    StepNode node =
        new StepNode(
            update.name(),
            fused,
            attributes(fused, product, update),
            update.requestedDevice(),
            update.outputTypes(),
            update.outputShapes());
    node.inputs().addAll(update.inputs().subList(0, DELTA));
    node.inputs().addAll(product.inputs());
    node.controlInputs().addAll(product.controlInputs());
    update.controlInputs().stream()
        .filter(before -> !product.controlInputs().contains(before))
        .forEach(node.controlInputs()::add);
    node.place(update.device());
    return node;
  }

  private static Attributes attributes(OpDeclaration fused, StepNode product, StepNode update) {
    Map<String, AttrValue> all = new HashMap<>();
    for (AttrDef attribute : fused.def().attributes()) {
      update
          .attributes()
          .find(attribute.name())
          .or(() -> product.attributes().find(attribute.name()))
          .ifPresent(value -> all.put(attribute.name(), value));
    }
    return Attributes.of(all);
  }
}
