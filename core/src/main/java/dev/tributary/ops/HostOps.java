package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.data.GeneratorKernels;
import dev.tributary.internal.kernel.flow.HostCallKernel;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import java.util.List;

/**
 * Ops that call functions of the program in its own process. They have the names of TensorFlow's
 * for Python; the functions here are Java's.
 */
final class HostOps {
  private HostOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        call("PyFunc").stateful().notDifferentiable(),
        call("PyFuncStateless").notDifferentiable(),
        op("GeneratorDataset")
            .input("init_func_other_args: Tinit_func_args")
            .input("next_func_other_args: Tnext_func_args")
            .input("finalize_func_other_args: Tfinalize_func_args")
            .output("handle: variant")
            .attr("init_func: func")
            .attr("next_func: func")
            .attr("finalize_func: func")
            .attr("Tinit_func_args: list(type) >= 0")
            .attr("Tnext_func_args: list(type) >= 0")
            .attr("Tfinalize_func_args: list(type) >= 0")
            .attr("output_types: list(type) >= 1")
            .attr("output_shapes: list(shape) >= 1")
            .attr("metadata: string = ''")
            .stateful()
            .shape(ShapeRules::scalar)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(GeneratorKernels::generator)
            .notDifferentiable());
  }

  private static Declaration call(String name) {
    return op(name)
        .input("input: Tin")
        .output("output: Tout")
        .attr("token: string")
        .attr("Tin: list(type) >= 0")
        .attr("Tout: list(type) >= 0")
        .shape(ShapeRules::unknown)
        .flag(OpFlag.EXPENSIVE)
        .flag(OpFlag.NOT_FOLDABLE)
        .kernel(HostCallKernel::new);
  }
}
