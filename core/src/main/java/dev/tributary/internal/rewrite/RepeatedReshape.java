package dev.tributary.internal.rewrite;

import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.tensor.Shape;
import java.util.Optional;

/**
 * Reshapes to constant shapes: one of another skips that one, and one to the shape that the input
 * has is left out. What the skipped one refuses must be refused by the other as well, so both must
 * ask for the same number of elements, or the outer one for a multiple of what the inner asks for.
 */
final class RepeatedReshape implements SimplificationRule {
  @Override
  public Optional<StepNode.Source> standIn(StepNode node) {
    Optional<Request> outer = request(node);
    if (outer.isEmpty()) {
      return Optional.empty();
    }
    StepNode inner = node.inputs().get(0).node();
    boolean skips =
        request(inner).filter(r -> outer.get().implies(r)).isPresent()
            && !inner.inputs().get(0).isRef()
            && inner.device().equals(node.device());
    if (skips) {
      node.inputs().set(0, inner.inputs().get(0));
    }
    Shape result = node.outputShapes().get(0);
    return result.isFullyDefined() && result.equals(node.inputs().get(0).shape())
        ? Optional.of(node.inputs().get(0))
        : Optional.empty();
  }

  private static Optional<Request> request(StepNode node) {
    return node.declaration().has(OpFlag.RESHAPES) && node.controlInputs().isEmpty()
        ? SimplificationRule.constant(node.inputs().get(1)).map(IndexTensors::all).map(Request::of)
        : Optional.empty();
  }

  /** The number of elements of a shape, or a divisor of it if one size is open. */
  private record Request(long elements, int openSizes) {
    static Request of(long[] sizes) {
      long elements = 1;
      int open = 0;
      for (long size : sizes) {
        if (size == Shape.UNKNOWN) {
          open++;
        } else {
          elements *= size;
        }
      }
      return new Request(elements, open);
    }

    /** Returns whether all numbers of elements that suit this one suit the other. */
    boolean implies(Request other) {
      boolean sound = elements > 0 && other.elements > 0 && openSizes <= 1 && other.openSizes <= 1;
      return sound
          && (other.openSizes == 1
              ? elements % other.elements == 0
              : openSizes == 0 && elements == other.elements);
    }
  }
}
