package dev.tributary.internal.rewrite;

import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets work on a gradient be done before the gradient of a maximum pooling spreads it over the
 * image, where it has a quarter of the elements or fewer:
 *
 * <ul>
 *   <li>a mask by the image, such as a rectifier's gradient, becomes a mask by the pooled image: an
 *       element that gets something is the largest of its window, so both have the same value
 *       there;
 *   <li>a sum for each channel is a sum of what is spread, since each element goes to one place of
 *       its channel.
 * </ul>
 *
 * <p>An image with NaN, which pooling passes over, may get a gradient where a mask by the image
 * would have given 0. Confined to one call.
 */
public final class PooledGradients {
  private final StepGraph graph;
  private final Consumers consumers;

  private PooledGradients(StepGraph graph) {
    this.graph = graph;
    this.consumers = new Consumers(graph);
  }

  /** Moves what it can, and returns the number of nodes that work on smaller tensors now. */
  public static int run(StepGraph graph) {
    return new PooledGradients(graph).moveMasks() + moveSums(graph);
  }

  private int moveMasks() {
    Map<StepNode, StepNode> moved = new HashMap<>();
    for (StepNode mask : graph.nodes()) {
      if (mask.declaration().has(OpFlag.MASKS) && isMovable(mask)) {
        StepNode spread = mask.inputs().get(0).node();
        StepNode early = copy(spread.name(), mask, spread.inputs().get(1));
        early.inputs().add(spread.inputs().get(2));
        early.inputs().add(spread.inputs().get(1));
        StepNode late = copy(mask.name(), spread, mask.inputs().get(0));
        late.inputs().addAll(spread.inputs().subList(0, 2));
        late.inputs().add(new StepNode.Source(early, 0));
        moved.put(spread, early);
        moved.put(mask, late);
      }
    }
    if (!moved.isEmpty()) {
      graph.exchange(moved);
    }
    return moved.size() / 2;
  }

  /** Returns whether a mask by an image follows a gradient that was spread over this image. */
  private boolean isMovable(StepNode mask) {
    StepNode spread = mask.inputs().get(0).node();
    return isSpread(spread)
        && isOfPooledImage(spread)
        && mask.inputs().get(1).equals(spread.inputs().get(0))
        && consumers.of(spread).equals(List.of(mask))
        && mask.controlInputs().isEmpty()
        && spread.controlInputs().isEmpty()
        && !graph.isRoot(mask)
        && !graph.isRoot(spread)
        && mask.device().equals(spread.device());
  }

  private static int moveSums(StepGraph graph) {
    int moved = 0;
    for (StepNode sum : graph.nodes()) {
      if (sum.declaration().has(OpFlag.SUMS_CHANNELS)) {
        StepNode spread = sum.inputs().get(0).node();
        if (isSpread(spread)
            && spread.controlInputs().isEmpty()
            && sum.device().equals(spread.device())
            && sum.attributes().string("data_format").equals(format(spread))) {
          sum.inputs().set(0, spread.inputs().get(2));
          moved++;
        }
      }
    }
    if (moved > 0) {
      graph.prune();
    }
    return moved;
  }

  private static boolean isSpread(StepNode node) {
    return node.declaration().has(OpFlag.SPREADS_TO_MAXIMA)
        && node.inputs().stream().noneMatch(StepNode.Source::isRef);
  }

  /**
   * Returns whether the pooled image that a spreading node gets is that of its image and windows.
   */
  private static boolean isOfPooledImage(StepNode spread) {
    StepNode pool = spread.inputs().get(1).node();
    return pool.declaration().has(OpFlag.POOLS_MAXIMA)
        && pool.inputs().get(0).equals(spread.inputs().get(0))
        && spread.declaration().def().attributes().stream()
            .allMatch(
                a -> spread.attributes().find(a.name()).equals(pool.attributes().find(a.name())));
  }

  private static String format(StepNode node) {
    return node.attributes().string("data_format");
  }

  /** A node without inputs that does what {@code node} does and gives a value like {@code like}. */
  private static StepNode copy(String name, StepNode node, StepNode.Source like) {
    StepNode copy =
        new StepNode(
            name,
            node.declaration(),
            node.attributes(),
            node.requestedDevice(),
            node.outputTypes(),
            List.of(like.shape()));
    copy.place(node.device());
    return copy;
  }
}
