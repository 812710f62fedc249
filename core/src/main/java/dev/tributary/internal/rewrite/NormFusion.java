package dev.tributary.internal.rewrite;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one node of a convolution, its batch normalisation with given statistics and the activation
 * behind that, so that an image is written once instead of three times. As in {@link Fusion},
 * nobody else may want what lies between. The new node has the name of the last one it stands for.
 * Confined to one call.
 */
public final class NormFusion {
  private static final int VECTORS = 1;

  private final StepGraph graph;
  private final Consumers consumers;

  private NormFusion(StepGraph graph) {
    this.graph = graph;
    this.consumers = new Consumers(graph);
  }

  /** Fuses what it can, and returns the number of fused nodes. */
  public static int run(StepGraph graph) {
    return new NormFusion(graph).fuse();
  }

  private int fuse() {
    Map<StepNode, StepNode> fused = new HashMap<>();
    for (StepNode norm : graph.nodes()) {
      fusedOp(norm)
          .ifPresent(
              op -> {
                Optional<StepNode> function = function(norm);
                StepNode last = function.orElse(norm);
                if (!graph.isRoot(last)) {
                  fused.put(last, fusedNode(op, norm, last, function));
                }
              });
    }
    if (!fused.isEmpty()) {
      graph.exchange(fused);
      graph.prune();
    }
    return fused.size();
  }

  /** The op of a normalisation and the convolution before it, if the two can become one. */
  private Optional<OpDeclaration> fusedOp(StepNode norm) {
    return norm.declaration()
        .fusion()
        .filter(FusionRole.Norm.class::isInstance)
        .map(role -> ((FusionRole.Norm) role).fused())
        .map(ops -> ops.get(norm.inputs().get(0).node().declaration().name()))
        .filter(op -> fits(norm, norm.inputs().get(0).node()));
  }

  private boolean fits(StepNode norm, StepNode convolution) {
    return !norm.attributes().bool("is_training")
        && norm.attributes()
            .string("data_format")
            .equals(convolution.attributes().string("data_format"))
        && areFloatValues(norm)
        && areFloatValues(convolution)
        && consumers.leadOnlyTo(convolution, norm)
        && consumers.of(norm).stream().allMatch(next -> usesOnlyImage(next, norm));
  }

  private static boolean areFloatValues(StepNode node) {
    return node.inputs().stream()
        .allMatch(input -> input.type() == DataType.FLOAT && !input.isRef());
  }

  private static boolean usesOnlyImage(StepNode next, StepNode norm) {
    return next.inputs().stream().allMatch(input -> input.node() != norm || input.index() == 0);
  }

  private Optional<StepNode> function(StepNode norm) {
    return consumers.of(norm).stream()
        .filter(node -> activation(node) != Activation.NONE)
        .filter(node -> !graph.isRoot(node) && consumers.leadOnlyTo(norm, node))
        .findFirst();
  }

  private static Activation activation(StepNode node) {
    return node.declaration()
        .fusion()
        .filter(FusionRole.Function.class::isInstance)
        .map(role -> ((FusionRole.Function) role).activation())
        .orElse(Activation.NONE);
  }

  private static StepNode fusedNode(
      OpDeclaration op, StepNode norm, StepNode last, Optional<StepNode> function) {
    StepNode convolution = norm.inputs().get(0).node();
    Map<String, AttrValue> attributes = new HashMap<>();
    for (AttrDef attribute : op.def().attributes()) {
      convolution
          .attributes()
          .find(attribute.name())
          .or(() -> norm.attributes().find(attribute.name()))
          .or(attribute::defaultValue)
          .ifPresent(value -> attributes.put(attribute.name(), value));
    }
    function.ifPresent(node -> attributes.put("activation", AttrValue.of(activation(node).op())));
    StepNode node =
        new StepNode(
            last.name(),
            op,
            Attributes.of(attributes),
            last.requestedDevice(),
            last.outputTypes().subList(0, 1),
            last.outputShapes().subList(0, 1));
    node.inputs().addAll(convolution.inputs());
    node.inputs().addAll(norm.inputs().subList(VECTORS, norm.inputs().size()));
    node.controlInputs().addAll(convolution.controlInputs());
    node.place(last.device());
    return node;
  }
}
