package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.flow.FunctionValueKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * Nodes that TensorFlow puts around a computation rewritten for TPUs. A graph of one replica that
 * was saved with them runs on CPUs: values pass through. Stock has no kernels of them for CPUs.
 */
final class TpuOps {
  private TpuOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("TPUReplicateMetadata")
            .attr("num_replicas: int >= 0")
            .attr("num_cores_per_replica: int = 1")
            .attr("topology: string = ''")
            .attr("use_tpu: bool = true")
            .attr("device_assignment: list(int) = []")
            .attr("computation_shape: list(int) = []")
            .attr("host_compute_core: list(string) = []")
            .attr("padding_map: list(string) = []")
            .attr("step_marker_location: string = 'STEP_MARK_AT_ENTRY'")
            .attr("allow_soft_placement: bool = false")
            .attr("use_spmd_for_xla_partitioning: bool = false")
            .attr("tpu_compile_options_proto: string = ''")
            .shape(ShapeRules::unknown)
            .kernel(node -> c -> {})
            .notDifferentiable(),
        op("TPUReplicatedInput")
            .input("inputs: N * T")
            .output("output: T")
            .attr("N: int >= 1")
            .attr("T: type")
            .attr("is_mirrored_variable: bool = false")
            .attr("index: int = -1")
            .attr("is_packed: bool = false")
            .shape(
                c -> {
                  c.output(0, c.input(0));
                  c.outputHandles(0, c.inputHandles(0));
                })
            .kernel(node -> single(node.inputTypes().size()))
            .notDifferentiable(),
        op("TPUReplicatedOutput")
            .input("input: T")
            .output("outputs: num_replicas * T")
            .attr("num_replicas: int >= 1")
            .attr("T: type")
            .shape(
                c -> {
                  for (int i = 0; i < c.outputCount(); i++) {
                    c.output(i, c.input(0));
                  }
                })
            .kernel(node -> single(node.outputTypes().size()))
            .notDifferentiable(),
        op("TPUCompilationResult")
            .output("output: string")
            .shape(c -> c.output(0, Shape.scalar()))
            // The message of a compilation without errors is empty.
            .kernel(node -> c -> c.setOutput(0, Tensor.scalar("")))
            .notDifferentiable());
  }

  private static Kernel single(int replicas) {
    if (replicas != 1) {
      throw TributaryException.unimplemented(
          "the graph was made for %d replicas on TPUs; only those of one run on CPUs", replicas);
    }
    return FunctionValueKernels::passAll;
  }
}
