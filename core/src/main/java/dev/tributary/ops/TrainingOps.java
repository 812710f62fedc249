package dev.tributary.ops;

import static dev.tributary.ops.OptimizerDeclaration.optimizer;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.training.Ftrl;
import dev.tributary.internal.kernel.training.UpdateRules;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import java.util.List;
import java.util.stream.Stream;

/**
 * The steps of optimizers: each changes a variable and its slots by a gradient, all at once.
 * Variables and slots are all references or all resource handles, and the op is chosen after that.
 * The sparse forms change the rows that indices name, one after the other.
 */
public final class TrainingOps {
  private final Scope scope;

  TrainingOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return Stream.of(
            optimizer("GradientDescent")
                .state("var")
                .inputs("alpha", "delta")
                .gradient("delta")
                .fusion(v -> new FusionRole.Descent(FusedOps.descent(v)))
                .dense(a -> UpdateRules.gradientDescent()),
            optimizer("Momentum")
                .state("var", "accum")
                .inputs("lr", "grad", "momentum")
                .attr("use_nesterov: bool = false")
                .denseAndSparse(a -> UpdateRules.momentum(a.bool("use_nesterov"))),
            optimizer("Adagrad")
                .state("var", "accum")
                .inputs("lr", "grad")
                .attr("update_slots: bool = true")
                .denseAndSparse(a -> UpdateRules.adagrad(a.bool("update_slots"))),
            optimizer("Adam")
                .state("var", "m", "v")
                .inputs("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad")
                .attr("use_nesterov: bool = false")
                .dense(a -> UpdateRules.adam(a.bool("use_nesterov"))),
            optimizer("RMSProp")
                .state("var", "ms", "mom")
                .inputs("lr", "rho", "momentum", "epsilon", "grad")
                .denseAndSparse(a -> UpdateRules.rmsProp()),
            optimizer("CenteredRMSProp")
                .state("var", "mg", "ms", "mom")
                .inputs("lr", "rho", "momentum", "epsilon", "grad")
                .denseAndSparse(a -> UpdateRules.centeredRmsProp()),
            optimizer("Ftrl")
                .state("var", "accum", "linear")
                .inputs("grad", "lr", "l1", "l2", "lr_power")
                .attr("multiply_linear_by_lr: bool = false")
                .denseAndSparse(a -> new Ftrl(a.bool("multiply_linear_by_lr"), false)),
            optimizer("Adadelta")
                .state("var", "accum", "accum_update")
                .inputs("lr", "rho", "epsilon", "grad")
                .denseAndSparse(a -> UpdateRules.adadelta()))
        .flatMap(List::stream)
        .toList();
  }

  public Operation applyGradientDescent(Output var, Operand alpha, Operand delta) {
    return start("ApplyGradientDescent", var, alpha, delta).build();
  }

  public Operation applyMomentum(
      Output var, Output accum, Operand lr, Operand grad, Operand momentum, boolean useNesterov) {
    return start("ApplyMomentum", var, accum, lr, grad, momentum)
        .attr("use_nesterov", useNesterov)
        .build();
  }

  public Operation sparseApplyMomentum(
      Output var,
      Output accum,
      Operand lr,
      Operand grad,
      Operand indices,
      Operand momentum,
      boolean useNesterov) {
    return start("SparseApplyMomentum", var, accum, lr, grad, indices, momentum)
        .attr("use_nesterov", useNesterov)
        .build();
  }

  public Operation applyAdagrad(Output var, Output accum, Operand lr, Operand grad) {
    return applyAdagrad(var, accum, lr, grad, true);
  }

  public Operation applyAdagrad(
      Output var, Output accum, Operand lr, Operand grad, boolean updateSlots) {
    return start("ApplyAdagrad", var, accum, lr, grad).attr("update_slots", updateSlots).build();
  }

  public Operation sparseApplyAdagrad(
      Output var, Output accum, Operand lr, Operand grad, Operand indices) {
    return sparseApplyAdagrad(var, accum, lr, grad, indices, true);
  }

  public Operation sparseApplyAdagrad(
      Output var, Output accum, Operand lr, Operand grad, Operand indices, boolean updateSlots) {
    return start("SparseApplyAdagrad", var, accum, lr, grad, indices)
        .attr("update_slots", updateSlots)
        .build();
  }

  public Operation applyAdam(
      Output var,
      Output m,
      Output v,
      Operand beta1Power,
      Operand beta2Power,
      Operand lr,
      Operand beta1,
      Operand beta2,
      Operand epsilon,
      Operand grad,
      boolean useNesterov) {
    return start("ApplyAdam", var, m, v, beta1Power, beta2Power, lr, beta1, beta2, epsilon, grad)
        .attr("use_nesterov", useNesterov)
        .build();
  }

  public Operation applyRmsProp(
      Output var,
      Output ms,
      Output mom,
      Operand lr,
      Operand rho,
      Operand momentum,
      Operand epsilon,
      Operand grad) {
    return start("ApplyRMSProp", var, ms, mom, lr, rho, momentum, epsilon, grad).build();
  }

  public Operation sparseApplyRmsProp(
      Output var,
      Output ms,
      Output mom,
      Operand lr,
      Operand rho,
      Operand momentum,
      Operand epsilon,
      Operand grad,
      Operand indices) {
    return start("SparseApplyRMSProp", var, ms, mom, lr, rho, momentum, epsilon, grad, indices)
        .build();
  }

  public Operation applyCenteredRmsProp(
      Output var,
      Output mg,
      Output ms,
      Output mom,
      Operand lr,
      Operand rho,
      Operand momentum,
      Operand epsilon,
      Operand grad) {
    return start("ApplyCenteredRMSProp", var, mg, ms, mom, lr, rho, momentum, epsilon, grad)
        .build();
  }

  public Operation sparseApplyCenteredRmsProp(
      Output var,
      Output mg,
      Output ms,
      Output mom,
      Operand lr,
      Operand rho,
      Operand momentum,
      Operand epsilon,
      Operand grad,
      Operand indices) {
    return start(
            "SparseApplyCenteredRMSProp",
            var,
            mg,
            ms,
            mom,
            lr,
            rho,
            momentum,
            epsilon,
            grad,
            indices)
        .build();
  }

  public Operation applyFtrl(
      Output var,
      Output accum,
      Output linear,
      Operand grad,
      Operand lr,
      Operand l1,
      Operand l2,
      Operand lrPower) {
    return start("ApplyFtrl", var, accum, linear, grad, lr, l1, l2, lrPower).build();
  }

  public Operation sparseApplyFtrl(
      Output var,
      Output accum,
      Output linear,
      Operand grad,
      Operand indices,
      Operand lr,
      Operand l1,
      Operand l2,
      Operand lrPower) {
    return start("SparseApplyFtrl", var, accum, linear, grad, indices, lr, l1, l2, lrPower).build();
  }

  public Operation applyAdadelta(
      Output var,
      Output accum,
      Output accumUpdate,
      Operand lr,
      Operand rho,
      Operand epsilon,
      Operand grad) {
    return start("ApplyAdadelta", var, accum, accumUpdate, lr, rho, epsilon, grad).build();
  }

  public Operation sparseApplyAdadelta(
      Output var,
      Output accum,
      Output accumUpdate,
      Operand lr,
      Operand rho,
      Operand epsilon,
      Operand grad,
      Operand indices) {
    return start("SparseApplyAdadelta", var, accum, accumUpdate, lr, rho, epsilon, grad, indices)
        .build();
  }

  /** Starts the form of an op that fits the variable, which is the first input. */
  private OperationBuilder start(String op, Operand... inputs) {
    boolean isResource = inputs[0].asOutput().type() == DataType.RESOURCE;
    OperationBuilder builder = scope.operation(isResource ? "Resource" + op : op);
    for (Operand input : inputs) {
      builder.input(input);
    }
    return builder;
  }
}
