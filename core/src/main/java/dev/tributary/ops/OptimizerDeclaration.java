package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.state.VariableInput;
import dev.tributary.internal.kernel.training.ApplyUpdate;
import dev.tributary.internal.kernel.training.UpdateInputs;
import dev.tributary.internal.kernel.training.UpdateRule;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The declaration of an optimizer, of which all its ops follow: {@code ApplyFoo} and {@code
 * ResourceApplyFoo}, and for one with sparse updates {@code SparseApplyFoo} and {@code
 * ResourceSparseApplyFoo}, whose indices come right after the gradient.
 */
final class OptimizerDeclaration {
  private final String name;
  private final List<String> state = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  private final List<String> attributes = new ArrayList<>();
  private String gradient = "grad";
  private Function<VariableInput, Optional<FusionRole>> fusion = variables -> Optional.empty();

  private OptimizerDeclaration(String name) {
    this.name = name;
  }

  static OptimizerDeclaration optimizer(String name) {
    return new OptimizerDeclaration(name);
  }

  /** The variable and its slots. */
  OptimizerDeclaration state(String... names) {
    state.addAll(List.of(names));
    return this;
  }

  /**
   * The gradient, called {@code grad} unless told otherwise, and scalars. They have the variable's
   * type unless one says another, as in {@code "global_step: int64"}.
   */
  OptimizerDeclaration inputs(String... names) {
    inputs.addAll(List.of(names));
    return this;
  }

  OptimizerDeclaration gradient(String inputName) {
    gradient = inputName;
    return this;
  }

  /** The part that the ops can play in a fused node. */
  OptimizerDeclaration fusion(Function<VariableInput, FusionRole> role) {
    fusion = role.andThen(Optional::of);
    return this;
  }

  OptimizerDeclaration attr(String spec) {
    attributes.add(spec);
    return this;
  }

  List<OpDeclaration> dense(Function<Attributes, UpdateRule> rule) {
    return List.of(
        declare(VariableInput.REFERENCE, false, rule),
        declare(VariableInput.RESOURCE, false, rule));
  }

  /** Only the forms for resource variables. */
  List<OpDeclaration> ofResources(boolean sparse, Function<Attributes, UpdateRule> rule) {
    List<OpDeclaration> all = new ArrayList<>();
    all.add(declare(VariableInput.RESOURCE, false, rule));
    if (sparse) {
      all.add(declare(VariableInput.RESOURCE, true, rule));
    }
    return all;
  }

  List<OpDeclaration> sparse(Function<Attributes, UpdateRule> rule) {
    return List.of(
        declare(VariableInput.REFERENCE, true, rule), declare(VariableInput.RESOURCE, true, rule));
  }

  List<OpDeclaration> denseAndSparse(Function<Attributes, UpdateRule> rule) {
    List<OpDeclaration> all = new ArrayList<>(dense(rule));
    all.addAll(sparse(rule));
    return all;
  }

  private OpDeclaration declare(
      VariableInput variables, boolean sparse, Function<Attributes, UpdateRule> rule) {
    boolean isResource = variables == VariableInput.RESOURCE;
    Declaration op =
        Declaration.op((isResource ? "Resource" : "") + (sparse ? "Sparse" : "") + "Apply" + name);
    List<String> names = new ArrayList<>(state);
    state.forEach(input -> op.input(input + (isResource ? ": resource" : ": Ref(T)")));
    for (String input : inputs) {
      op.input(input.contains(":") ? input : input + ": T");
      names.add(input.split(":", 2)[0]);
      if (sparse && input.equals(gradient)) {
        op.input("indices: Tindices");
        names.add("indices");
      }
    }
    op.attr("T: " + StateOps.NUMBERS);
    if (sparse) {
      op.attr("Tindices: {int32, int64}");
    }
    op.attr("use_locking: bool = false");
    attributes.forEach(op::attr);
    if (isResource) {
      op.stateful();
    } else {
      op.output("out: Ref(T)");
    }
    fusion.apply(variables).ifPresent(op::fusion);
    UpdateInputs parts = new UpdateInputs(names, state.size(), gradient);
    return op.shape(c -> infer(c, parts, isResource))
        .kernel(
            node -> new ApplyUpdate(rule.apply(node.attributes()), parts, variables, node.type()))
        .notDifferentiable();
  }

  private static void infer(InferenceContext context, UpdateInputs inputs, boolean isResource) {
    Shape shape = Shape.unknown();
    for (int i = 0; i < inputs.stateCount(); i++) {
      Shape slot = isResource ? context.inputHandle(i) : context.input(i);
      inputs.requireSameShape(i, shape, slot);
      shape = shape.merge(slot);
    }
    for (int i = 0; i < inputs.scalarCount(); i++) {
      context.withRank(inputs.scalar(i), 0);
    }
    if (inputs.isSparse()) {
      requireRows(context, inputs, shape);
    } else {
      inputs.requireSameShape(inputs.gradient(), shape, context.input(inputs.gradient()));
      shape = shape.merge(context.input(inputs.gradient()));
    }
    if (!isResource) {
      context.output(0, shape);
    }
  }

  private static void requireRows(InferenceContext context, UpdateInputs inputs, Shape variable) {
    Shape indices = context.withRank(inputs.indices(), 1);
    Shape gradient = context.input(inputs.gradient());
    if (!variable.hasRank()) {
      return;
    }
    if (variable.rank() < 1) {
      throw TributaryException.invalidArgument(
          "a sparse update needs a variable with rows, got a scalar");
    }
    Shape wanted = indices.concatenate(variable.slice(1, variable.rank()));
    if (!gradient.isCompatibleWith(wanted)) {
      throw TributaryException.invalidArgument(
          "the gradient of rows %s of a variable of shape %s must have shape %s, got %s",
          indices, variable, wanted, gradient);
    }
  }
}
