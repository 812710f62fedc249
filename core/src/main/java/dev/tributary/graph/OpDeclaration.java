package dev.tributary.graph;

import dev.tributary.kernel.KernelFactory;
import dev.tributary.op.OpDef;
import java.util.Optional;
import java.util.Set;

/**
 * Everything there is to say about an op: its signature, shape rule, kernel, gradient and flags.
 *
 * @param value works out small integer values for shape inference, where that helps
 * @param gradient empty for an op through which no gradient flows
 */
public record OpDeclaration(
    OpDef def,
    ShapeRule shape,
    Optional<ValueRule> value,
    KernelFactory kernel,
    Optional<GradientRule> gradient,
    FlowKind flow,
    Set<OpFlag> flags) {
  public OpDeclaration {
    flags = Set.copyOf(flags);
  }

  public String name() {
    return def.name();
  }

  public boolean has(OpFlag flag) {
    return flags.contains(flag);
  }

  /** Whether equal nodes with equal inputs give equal outputs, so that one may stand for all. */
  public boolean isPure() {
    return !def.isStateful()
        && flow == FlowKind.NONE
        && !has(OpFlag.PLACEHOLDER)
        && !has(OpFlag.NOT_FOLDABLE);
  }
}
