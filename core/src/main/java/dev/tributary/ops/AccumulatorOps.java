package dev.tributary.ops;

import static dev.tributary.internal.kernel.resource.HandleForm.REFERENCE;

import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.accumulator.AccumulatorKernels;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Accumulators, in which the gradients of many workers come together. This family makes them, with
 * reference handles and, for dense gradients, with resource handles; the client methods of the ops
 * that use one are in {@link Accumulator} and {@link SparseAccumulator}.
 */
abstract sealed class AccumulatorOps permits BarrierOps {
  private static final String TYPE = "dtype: " + StateOps.NUMBERS;

  final Scope scope;

  AccumulatorOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(dense(REFERENCE, ""));
    all.addAll(dense(HandleForm.RESOURCE, "Resource"));
    all.addAll(sparse());
    return all;
  }

  private static List<OpDeclaration> dense(HandleForm form, String prefix) {
    return List.of(
        maker(prefix + "ConditionalAccumulator", form)
            .kernel(node -> AccumulatorKernels.dense(node, form))
            .notDifferentiable(),
        user(prefix + "AccumulatorApplyGradient", form)
            .input("local_step: int64")
            .input("gradient: dtype")
            .attr(TYPE)
            .shape(AccumulatorOps::requireScalar)
            .kernel(node -> AccumulatorKernels.applyDense(node, form))
            .notDifferentiable(),
        user(prefix + "AccumulatorTakeGradient", form)
            .input("num_required: int32")
            .output("average: dtype")
            .attr(TYPE)
            .shape(AccumulatorOps::requireScalar)
            .kernel(node -> AccumulatorKernels.takeDense(node, form))
            .notDifferentiable(),
        user(prefix + "AccumulatorNumAccumulated", form)
            .output("num_accumulated: int32")
            .shape(ShapeRules::scalar)
            .kernel(node -> AccumulatorKernels.accumulated(node, form))
            .notDifferentiable(),
        user(prefix + "AccumulatorSetGlobalStep", form)
            .input("new_global_step: int64")
            .shape(AccumulatorOps::requireScalar)
            .kernel(node -> AccumulatorKernels.setGlobalStep(node, form))
            .notDifferentiable());
  }

  private static List<OpDeclaration> sparse() {
    return List.of(
        maker("SparseConditionalAccumulator", REFERENCE)
            .kernel(node -> AccumulatorKernels.sparse(node, REFERENCE))
            .notDifferentiable(),
        user("SparseAccumulatorApplyGradient", REFERENCE)
            .input("local_step: int64")
            .input("gradient_indices: int64")
            .input("gradient_values: dtype")
            .input("gradient_shape: int64")
            .attr(TYPE)
            .attr("has_known_shape: bool")
            .shape(AccumulatorOps::requireScalar)
            .kernel(node -> AccumulatorKernels.applySparse(node, REFERENCE))
            .notDifferentiable(),
        user("SparseAccumulatorTakeGradient", REFERENCE)
            .input("num_required: int32")
            .output("indices: int64")
            .output("values: dtype")
            .output("shape: int64")
            .attr(TYPE)
            .shape(
                c -> {
                  requireScalar(c);
                  c.output(0, Shape.ofRank(1));
                  c.output(2, Shape.ofRank(1));
                })
            .kernel(node -> AccumulatorKernels.takeSparse(node, REFERENCE))
            .notDifferentiable());
  }

  private static Declaration maker(String name, HandleForm form) {
    return ResourceDeclaration.maker(name, form, "handle")
        .attr(TYPE)
        .attr("shape: shape")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .flag(OpFlag.SHARED_BY_NAME)
        .attr("reduction_type: {'MEAN', 'SUM'} = 'MEAN'");
  }

  private static Declaration user(String name, HandleForm form) {
    return ResourceDeclaration.user(name, form, "handle");
  }

  private static void requireScalar(InferenceContext context) {
    context.withRank(1, 0);
  }

  /** For dense gradients. */
  public Accumulator conditionalAccumulator(AccumulatorOptions options) {
    return new Accumulator(scope.withoutName(), make("ConditionalAccumulator", options), options);
  }

  /** For gradients in slices; the shape is that of the dense gradient. */
  public SparseAccumulator sparseConditionalAccumulator(AccumulatorOptions options) {
    return new SparseAccumulator(
        scope.withoutName(), make("SparseConditionalAccumulator", options), options);
  }

  private Output make(String op, AccumulatorOptions options) {
    return scope
        .withoutControlDependencies()
        .operation(op)
        .attr("dtype", options.type())
        .attr("shape", options.shape())
        .attr("shared_name", options.sharedName())
        .attr("reduction_type", options.reduction().name())
        .buildOutput();
  }
}
