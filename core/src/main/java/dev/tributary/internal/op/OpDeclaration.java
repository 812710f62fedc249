package dev.tributary.internal.op;

import dev.tributary.internal.kernel.KernelFactory;
import java.util.Optional;
import java.util.Set;

/**
 * Everything there is to say about an op: its signature, shape rule, kernel, gradient, flags and
 * what rewrites may do with it.
 *
 * @param value works out small integer values for shape inference, where that helps
 * @param gradient empty for an op through which no gradient flows
 * @param fusion the part it can play in a fused node
 */
public record OpDeclaration(
    OpDef def,
    ShapeRule shape,
    Optional<ValueRule> value,
    KernelFactory kernel,
    Optional<? extends Gradient> gradient,
    FlowKind flow,
    Set<OpFlag> flags,
    Optional<FusionRole> fusion) {
  public OpDeclaration {
    flags = Set.copyOf(flags);
  }

  /** An op that is never fused. */
  public OpDeclaration(
      OpDef def,
      ShapeRule shape,
      Optional<ValueRule> value,
      KernelFactory kernel,
      Optional<? extends Gradient> gradient,
      FlowKind flow,
      Set<OpFlag> flags) {
    this(def, shape, value, kernel, gradient, flow, flags, Optional.empty());
  }

  public String name() {
    return def.name();
  }

  public boolean has(OpFlag flag) {
    return flags.contains(flag);
  }

  /**
   * Returns whether equal nodes with equal inputs give equal outputs, so that one may stand for
   * all.
   */
  public boolean isPure() {
    return !def.isStateful()
        && flow == FlowKind.NONE
        && !has(OpFlag.PLACEHOLDER)
        && !has(OpFlag.NOT_FOLDABLE);
  }
}
