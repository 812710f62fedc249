package dev.tributary.internal.rewrite;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one node of a matrix product or convolution, the bias that is added to it and the
 * activation behind that, so that the product's elements are finished while they are at hand. What
 * lies between must be wanted by nobody else, neither as a value nor for its order, and all must
 * run on one device. Gradients do not stand in the way: those of the activations look at its
 * output. The new node has the name of the last one it stands for. Confined to one call.
 */
public final class Fusion {
  private final StepGraph graph;
  private final Consumers consumers;

  private Fusion(StepGraph graph) {
    this.graph = graph;
    this.consumers = new Consumers(graph);
  }

  /** Fuses what it can, and returns the number of fused nodes. */
  public static int run(StepGraph graph) {
    return new Fusion(graph).fuse();
  }

  private int fuse() {
    Map<StepNode, StepNode> fused = new HashMap<>();
    for (StepNode sum : graph.nodes()) {
      role(sum, FusionRole.Bias.class)
          .flatMap(bias -> biased(sum, bias))
          .ifPresent(
              product -> {
                Optional<StepNode> function = function(sum);
                Activation activation =
                    function
                        .flatMap(f -> role(f, FusionRole.Function.class))
                        .map(FusionRole.Function::activation)
                        .orElse(Activation.NONE);
                StepNode last = function.orElse(sum);
                if (!graph.isRoot(last)) {
                  fused.put(last, fusedNode(product, sum, last, activation));
                }
              });
    }
    if (!fused.isEmpty()) {
      graph.exchange(fused);
      graph.prune();
    }
    return fused.size();
  }

  /** The product to which this node adds a bias, if the two can become one. */
  private Optional<StepNode.Source> biased(StepNode sum, FusionRole.Bias role) {
    for (int i = 0; i < (role.isSum() ? 2 : 1); i++) {
      StepNode.Source value = sum.inputs().get(i);
      StepNode.Source bias = sum.inputs().get(1 - i);
      boolean fits =
          isProduct(value.node())
              && consumers.leadOnlyTo(value.node(), sum)
              && !bias.isRef()
              && (role.isSum()
                  ? isBiasByShape(value, bias)
                  : format(sum).equals(format(value.node())));
      if (fits) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  private static boolean isProduct(StepNode node) {
    return role(node, FusionRole.Product.class)
        .filter(product -> product.types().contains(node.attributes().type("T")))
        .filter(product -> node.inputs().stream().noneMatch(StepNode.Source::isRef))
        .isPresent();
  }

  /**
   * Returns whether a sum of these two is a product with a bias for each channel, for all they can
   * be.
   */
  private static boolean isBiasByShape(StepNode.Source product, StepNode.Source bias) {
    Shape sizes = product.shape();
    return bias.shape().isFullyDefined()
        && bias.shape().rank() == 1
        && sizes.hasRank()
        && sizes.size(-1) == bias.shape().size(0)
        && format(product.node()).equals("NHWC");
  }

  /** Returns where the channels of an image are; an op that does not say has them last. */
  private static String format(StepNode node) {
    return node.attributes().has("data_format") ? node.attributes().string("data_format") : "NHWC";
  }

  /** The activation that is all a sum is there for. */
  private Optional<StepNode> function(StepNode sum) {
    return consumers.of(sum).stream()
        .filter(node -> role(node, FusionRole.Function.class).isPresent())
        .filter(node -> !graph.isRoot(node) && consumers.leadOnlyTo(sum, node))
        .findFirst();
  }

  private static StepNode fusedNode(
      StepNode.Source value, StepNode sum, StepNode last, Activation activation) {
    StepNode product = value.node();
    OpDeclaration fused = role(product, FusionRole.Product.class).orElseThrow().fused();
    StepNode node =
        new StepNode(
            last.name(),
            fused,
            attributes(fused, product, Epilogue.biasThen(activation)),
            last.requestedDevice(),
            last.outputTypes(),
            last.outputShapes());
    node.inputs().addAll(product.inputs());
    node.inputs().add(sum.inputs().get(sum.inputs().get(0).equals(value) ? 1 : 0));
    node.controlInputs().addAll(product.controlInputs());
    node.place(last.device());
    return node;
  }

  private static Attributes attributes(OpDeclaration fused, StepNode product, Epilogue epilogue) {
    Map<String, AttrValue> own =
        Map.of(
            "num_args", AttrValue.of(1),
            "TArgs", AttrValue.ofTypes(List.of(product.attributes().type("T"))),
            "fused_ops", AttrValue.ofStrings(epilogue.fusedOps()));
    Map<String, AttrValue> all = new HashMap<>();
    for (AttrDef attribute : fused.def().attributes()) {
      Optional.ofNullable(own.get(attribute.name()))
          .or(() -> product.attributes().find(attribute.name()))
          .or(attribute::defaultValue)
          .ifPresent(chosen -> all.put(attribute.name(), chosen));
    }
    return Attributes.of(all);
  }

  private static <R extends FusionRole> Optional<R> role(StepNode node, Class<R> kind) {
    return node.declaration().fusion().filter(kind::isInstance).map(kind::cast);
  }
}
