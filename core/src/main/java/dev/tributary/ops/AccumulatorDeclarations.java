package dev.tributary.ops;

import static dev.tributary.kernel.resource.HandleForm.REFERENCE;

import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.accumulator.AccumulatorKernels;
import dev.tributary.kernel.resource.HandleForm;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** The accumulator ops, with reference handles and, for dense gradients, with resource handles. */
final class AccumulatorDeclarations {
  private static final String TYPE = "dtype: " + StateOps.NUMBERS;

  private AccumulatorDeclarations() {}

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
            .shape(AccumulatorDeclarations::requireScalar)
            .kernel(node -> AccumulatorKernels.applyDense(node, form))
            .notDifferentiable(),
        user(prefix + "AccumulatorTakeGradient", form)
            .input("num_required: int32")
            .output("average: dtype")
            .attr(TYPE)
            .shape(AccumulatorDeclarations::requireScalar)
            .kernel(node -> AccumulatorKernels.takeDense(node, form))
            .notDifferentiable(),
        user(prefix + "AccumulatorNumAccumulated", form)
            .output("num_accumulated: int32")
            .shape(ShapeRules::scalar)
            .kernel(node -> AccumulatorKernels.accumulated(node, form))
            .notDifferentiable(),
        user(prefix + "AccumulatorSetGlobalStep", form)
            .input("new_global_step: int64")
            .shape(AccumulatorDeclarations::requireScalar)
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
            .shape(AccumulatorDeclarations::requireScalar)
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
    return HandleDeclarations.maker(name, form, "handle")
        .attr(TYPE)
        .attr("shape: shape")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .flag(OpFlag.SHARED_BY_NAME)
        .attr("reduction_type: {'MEAN', 'SUM'} = 'MEAN'");
  }

  private static Declaration user(String name, HandleForm form) {
    return HandleDeclarations.user(name, form, "handle");
  }

  private static void requireScalar(InferenceContext context) {
    context.withRank(1, 0);
  }
}
