package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.gradient.GradientRule;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRule;
import dev.tributary.internal.op.ValueRule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The declaration of an op, written as one statement. It ends in {@link #grad}, {@link #gradAll},
 * {@link #gradRule} or {@link #notDifferentiable}: silence about the gradient does not compile.
 */
final class Declaration {
  /**
   * The gradient of an op with one output: from the output's gradient to one value for each input.
   */
  @FunctionalInterface
  interface Gradient {
    List<? extends GradientValue> apply(Ops tf, Operation op, Output dy);
  }

  /** The gradient of an op with several outputs. */
  @FunctionalInterface
  interface GradientOfAll {
    List<? extends GradientValue> apply(Ops tf, Operation op, List<Output> dy);
  }

  private final OpDefBuilder def;
  private final Set<OpFlag> flags = EnumSet.noneOf(OpFlag.class);
  private final String name;
  private ShapeRule shape;
  private Optional<ValueRule> value = Optional.empty();
  private KernelFactory kernel;
  private FlowKind flow = FlowKind.NONE;
  private Optional<FusionRole> fusion = Optional.empty();

  private Declaration(String name) {
    this.name = name;
    this.def = new OpDefBuilder(name);
  }

  static Declaration op(String name) {
    return new Declaration(name);
  }

  String name() {
    return name;
  }

  /** An input in TensorFlow's notation, such as {@code "a: T"} or {@code "values: N * T"}. */
  Declaration input(String spec) {
    def.input(spec);
    return this;
  }

  Declaration output(String spec) {
    def.output(spec);
    return this;
  }

  /**
   * An attribute in TensorFlow's notation, such as {@code "T: {float, double}"} or {@code "N: int
   * >= 1 = 2"}.
   */
  Declaration attr(String spec) {
    def.attr(spec);
    return this;
  }

  Declaration stateful() {
    def.stateful();
    return this;
  }

  Declaration commutative() {
    def.commutative();
    return this;
  }

  Declaration aggregate() {
    def.aggregate();
    return this;
  }

  Declaration allowsUninitializedInput() {
    def.allowsUninitializedInput();
    return this;
  }

  Declaration distributedCommunication() {
    def.distributedCommunication();
    return this;
  }

  Declaration deprecated(int version, String explanation) {
    def.deprecated(version, explanation);
    return this;
  }

  Declaration shape(ShapeRule rule) {
    shape = rule;
    return this;
  }

  /**
   * Sets the rule for the output's value at graph construction, for ops that shapes pass through.
   */
  Declaration value(ValueRule rule) {
    value = Optional.of(rule);
    return this;
  }

  Declaration kernel(KernelFactory factory) {
    kernel = factory;
    return this;
  }

  Declaration flow(FlowKind kind) {
    flow = kind;
    return this;
  }

  Declaration flag(OpFlag flag) {
    flags.add(flag);
    return this;
  }

  /** The part that the op can play in a fused node. */
  Declaration fusion(FusionRole role) {
    fusion = Optional.of(role);
    return this;
  }

  OpDeclaration notDifferentiable() {
    return finish(Optional.empty());
  }

  OpDeclaration grad(Gradient gradient) {
    return gradAll((tf, op, dy) -> gradient.apply(tf, op, dy.get(0)));
  }

  OpDeclaration gradAll(GradientOfAll gradient) {
    return gradRule(
        (scope, op, dy) -> {
          List<Output> dense = new ArrayList<>();
          dy.forEach(value -> dense.add((Output) value));
          return gradient.apply(new Ops(scope), op, dense);
        });
  }

  /** A gradient that also takes slices, or no value, for an output. */
  OpDeclaration gradRule(GradientRule rule) {
    return finish(Optional.of(rule));
  }

  private OpDeclaration finish(Optional<GradientRule> gradient) {
    if (shape == null || kernel == null) {
      throw TributaryException.internal(
          "the declaration of %s lacks a shape rule or a kernel", name);
    }
    return new OpDeclaration(def.build(), shape, value, kernel, gradient, flow, flags, fusion);
  }
}
