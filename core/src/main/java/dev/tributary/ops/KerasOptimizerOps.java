package dev.tributary.ops;

import static dev.tributary.ops.OptimizerDeclaration.optimizer;

import dev.tributary.internal.kernel.training.Ftrl;
import dev.tributary.internal.kernel.training.UpdateRules;
import dev.tributary.internal.op.OpDeclaration;
import java.util.List;
import java.util.stream.Stream;

/** The updates of Keras' optimizers, which graphs from TensorFlow 2 have; no client adds them. */
final class KerasOptimizerOps {
  private KerasOptimizerOps() {}

  static List<OpDeclaration> declarations() {
    return Stream.of(
            optimizer("KerasMomentum")
                .state("var", "accum")
                .inputs("lr", "grad", "momentum")
                .attr("use_nesterov: bool = false")
                .ofResources(true, a -> UpdateRules.kerasMomentum(a.bool("use_nesterov"))),
            optimizer("AdagradV2")
                .state("var", "accum")
                .inputs("lr", "epsilon", "grad")
                .attr("update_slots: bool = true")
                .denseAndSparse(a -> UpdateRules.adagradV2(a.bool("update_slots"))),
            optimizer("FtrlV2")
                .state("var", "accum", "linear")
                .inputs("grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power")
                .attr("multiply_linear_by_lr: bool = false")
                .denseAndSparse(a -> new Ftrl(a.bool("multiply_linear_by_lr"), true)),
            optimizer("AdaMax")
                .state("var", "m", "v")
                .inputs("beta1_power", "lr", "beta1", "beta2", "epsilon", "grad")
                .dense(a -> UpdateRules.adaMax()),
            optimizer("AdamWithAmsgrad")
                .state("var", "m", "v", "vhat")
                .inputs("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad")
                .ofResources(false, a -> UpdateRules.adamWithAmsgrad()))
        .flatMap(List::stream)
        .toList();
  }
}
