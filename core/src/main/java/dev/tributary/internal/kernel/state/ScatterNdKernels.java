package dev.tributary.internal.kernel.state;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.array.Gathering;
import dev.tributary.internal.kernel.array.Scattering;
import dev.tributary.internal.kernel.array.SliceSpec;
import dev.tributary.internal.kernel.array.Slicing;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/** Kernels that read and change the parts of a variable that index vectors or slices name. */
public final class ScatterNdKernels {
  private ScatterNdKernels() {}

  /**
   * Inputs: variable, index vectors, updates.
   *
   * @param function combines a row with its update; if empty, the update replaces the row
   */
  public static Kernel scatter(
      KernelNode node, VariableInput input, Optional<BinaryLoop> function) {
    Scattering scattering = Scattering.of(node, function);
    DataType type = node.type();
    return context -> {
      VariableResource variable = input.variable(context, 0, type);
      Tensor indices = context.input(1);
      Tensor updates = context.input(2);
      try (VariableResource.Locked locked = VariableResource.lock(variable)) {
        Shape shape = locked.value(variable).shape();
        scattering.requireShapes(shape, indices, updates);
        scattering.requireInRange(shape, indices);
        scattering.change(locked.writable(variable, context.allocator()), indices, updates);
      }
      input.passOn(context, variable);
    };
  }

  /** Inputs: variable, begin, end, strides, the value that replaces the slice. */
  public static Kernel assignSlice(KernelNode node, VariableInput input, SliceSpec.Masks masks) {
    DataType type = node.type();
    return context -> {
      VariableResource variable = input.variable(context, 0, type);
      try (VariableResource.Locked locked = VariableResource.lock(variable)) {
        SliceSpec spec = Slicing.spec(context, locked.value(variable).shape(), masks);
        Slicing.requireValue(context.input(4), spec);
        Slicing.put(context.input(4), locked.writable(variable, context.allocator()), spec);
      }
      input.passOn(context, variable);
    };
  }

  /** Inputs: a resource variable, index vectors. */
  public static Kernel gather(KernelNode node) {
    DataType type = node.attributes().type("dtype");
    return context -> {
      try (Tensor params = VariableInput.RESOURCE.variable(context, 0, type).read()) {
        Gathering.gatherNd(context, params, context.input(1), false);
      }
    };
  }
}
