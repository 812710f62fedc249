package dev.tributary.ops;

import static dev.tributary.ops.OptimizerDeclaration.optimizer;

import dev.tributary.internal.kernel.training.RegularizedRules;
import dev.tributary.internal.kernel.training.UpdateRules;
import dev.tributary.internal.op.OpDeclaration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The updates of optimizers from TensorFlow 1 that are rarely used: those with regularisation, and
 * those that look at signs. No client adds them.
 */
final class LegacyOptimizerOps {
  private LegacyOptimizerOps() {}

  static List<OpDeclaration> declarations() {
    return Stream.of(
            optimizer("ProximalGradientDescent")
                .state("var")
                .inputs("alpha", "l1", "l2", "delta")
                .gradient("delta")
                .dense(a -> RegularizedRules.proximalGradientDescent()),
            optimizer("ProximalGradientDescent")
                .state("var")
                .inputs("alpha", "l1", "l2", "grad")
                .sparse(a -> RegularizedRules.proximalGradientDescent()),
            optimizer("ProximalAdagrad")
                .state("var", "accum")
                .inputs("lr", "l1", "l2", "grad")
                .denseAndSparse(a -> RegularizedRules.proximalAdagrad()),
            optimizer("AdagradDA")
                .state("var", "gradient_accumulator", "gradient_squared_accumulator")
                .inputs("grad", "lr", "l1", "l2", "global_step: int64")
                .denseAndSparse(a -> RegularizedRules.adagradDa()),
            optimizer("AddSign")
                .state("var", "m")
                .inputs("lr", "alpha", "sign_decay", "beta", "grad")
                .dense(a -> UpdateRules.addSign()),
            optimizer("PowerSign")
                .state("var", "m")
                .inputs("lr", "logbase", "sign_decay", "beta", "grad")
                .dense(a -> UpdateRules.powerSign()))
        .flatMap(List::stream)
        .toList();
  }
}
