package dev.tributary.internal.rewrite;

import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one node of a product of matrices and its sum with a third one, so that the product is
 * added to the third where it lies: the step of a recurrent layer, and a gradient that a loop adds
 * up. Nobody else may want the product, and nobody else the third matrix, which would be copied.
 * The new node has the sum's name. Confined to one call; works behind {@link Fusion}, which knows
 * more to do with a bias.
 */
public final class SumFusion {
  /** Of a node with more consumers, it is not asked which of its outputs they want. */
  private static final int FEW_CONSUMERS = 8;

  private final StepGraph graph;
  private final Consumers consumers;

  private SumFusion(StepGraph graph) {
    this.graph = graph;
    this.consumers = new Consumers(graph);
  }

  /** Fuses what it can, and returns the number of fused nodes. */
  public static int run(StepGraph graph) {
    return new SumFusion(graph).fuse();
  }

  private int fuse() {
    final Map<StepNode, StepNode> fused = new HashMap<>();
    for (StepNode sum : graph.nodes()) {
      if (isSum(sum) && !graph.isRoot(sum)) {
        product(sum).ifPresent(i -> fused.put(sum, fusedNode(sum, i)));
      }
    }
    if (!fused.isEmpty()) {
      graph.exchange(fused);
      graph.prune();
    }
    return fused.size();
  }

  private static boolean isSum(StepNode node) {
    return node.declaration()
            .fusion()
            .filter(FusionRole.Bias.class::isInstance)
            .filter(role -> ((FusionRole.Bias) role).isSum())
            .isPresent()
        && node.outputTypes().equals(List.of(DataType.FLOAT));
  }

  /** The input of a sum that is a product with which it can become one. */
  private Optional<Integer> product(StepNode sum) {
    for (int i = 0; i < 2; i++) {
      final StepNode.Source product = sum.inputs().get(i);
      final StepNode.Source other = sum.inputs().get(1 - i);
      final boolean fits =
          op(product.node()).isPresent()
              && consumers.leadOnlyTo(product.node(), sum)
              && product.node() != other.node()
              && !other.isRef()
              && isWantedOnce(other)
              && areSame(product.shape(), other.shape());
      if (fits) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private static boolean areSame(Shape product, Shape other) {
    return product.hasRank() && product.rank() == 2 && product.equals(other);
  }

  private boolean isWantedOnce(StepNode.Source value) {
    final List<StepNode> wanting = consumers.of(value.node());
    long uses = 0;
    for (int i = 0; i < wanting.size() && wanting.size() <= FEW_CONSUMERS; i++) {
      if (wanting.indexOf(wanting.get(i)) == i) {
        uses += wanting.get(i).inputs().stream().filter(value::equals).count();
      }
    }
    return uses == 1 && !graph.isRoot(value.node());
  }

  /** The op that adds the product of a node to something. */
  private static Optional<OpDeclaration> op(StepNode node) {
    return node.declaration()
        .fusion()
        .filter(FusionRole.Product.class::isInstance)
        .map(FusionRole.Product.class::cast)
        .filter(product -> product.types().contains(node.attributes().type("T")))
        .filter(product -> node.inputs().stream().noneMatch(StepNode.Source::isRef))
        .flatMap(FusionRole.Product::sum);
  }

  private static StepNode fusedNode(StepNode sum, int index) {
    final StepNode product = sum.inputs().get(index).node();
    final OpDeclaration op = op(product).orElseThrow();
    final Map<String, AttrValue> attributes = new HashMap<>();
    op.def()
        .attributes()
        .forEach(
            attribute ->
                product
                    .attributes()
                    .find(attribute.name())
                    .ifPresent(value -> attributes.put(attribute.name(), value)));
    final StepNode node =
        new StepNode(
            sum.name(),
            op,
            Attributes.of(attributes),
            sum.requestedDevice(),
            sum.outputTypes(),
            sum.outputShapes());
    node.inputs().addAll(product.inputs());
    node.inputs().add(sum.inputs().get(1 - index));
    node.controlInputs().addAll(product.controlInputs());
    node.place(sum.device());
    node.comesFrom(sum.function());
    return node;
  }
}
