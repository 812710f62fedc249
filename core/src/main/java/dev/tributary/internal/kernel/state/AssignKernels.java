package dev.tributary.internal.kernel.state;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.ResourceHandle;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Factories of the kernels that change a variable as a whole. An assigned tensor becomes the
 * variable's value as it is, without a copy: tensors never change once they are published, and a
 * later change in place copies first if it is still shared.
 */
public final class AssignKernels {
  private AssignKernels() {}

  /** Sets a variable behind a reference. */
  public static Kernel assign(KernelNode node) {
    boolean validateShape = node.attributes().bool("validate_shape");
    return c -> {
      VariableResource variable = c.refInput(0);
      Tensor value = c.input(1);
      try (VariableResource.Locked locked = VariableResource.lock(variable)) {
        Shape wanted =
            locked.isInitialized(variable) ? locked.value(variable).shape() : variable.shape();
        if (validateShape && !wanted.isCompatibleWith(value.shape())) {
          throw TributaryException.invalidArgument(
              "Assign requires shapes of both tensors to match. lhs shape= %s rhs shape= %s",
              wanted, value.shape());
        }
        locked.assign(variable, value.retain());
      }
      c.setRefOutput(0, variable);
    };
  }

  /** Sets a resource variable, which is made now if it does not exist. */
  public static Kernel assignResource(KernelNode node) {
    DataType type = node.attributes().type("dtype");
    boolean validateShape = node.attributes().bool("validate_shape");
    return c -> {
      ResourceHandle handle = ResourceHandle.ofInput(c, 0);
      VariableResource variable =
          VariableInput.container(c, handle)
              .findOrCreate(
                  handle.name(),
                  VariableResource.class,
                  () -> new VariableResource(handle.name(), type));
      VariableInput.typed(variable, type);
      Tensor value = c.input(1);
      try (VariableResource.Locked locked = VariableResource.lock(variable)) {
        if (validateShape && locked.isInitialized(variable)) {
          requireSameShape(locked.value(variable), value);
        }
        locked.assign(variable, value.retain());
      }
    };
  }

  /** Combines a variable with a value of the same shape, element by element. */
  public static Kernel combine(KernelNode node, VariableInput input, BinaryLoop loop) {
    DataType type = node.inputTypes().get(1);
    if (!loop.supports(type)) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: the numeric types", type.lowerName());
    }
    return c -> {
      VariableResource variable = input.variable(c, 0, type);
      Tensor value = c.input(1);
      try (VariableResource.Locked locked = VariableResource.lock(variable)) {
        requireSameShape(locked.value(variable), value);
        Tensor target = locked.writable(variable, c.allocator());
        Broadcast same = Broadcast.of(target.shape(), value.shape());
        c.device()
            .backend()
            .elementWise(
                loop,
                type,
                same,
                target.storage().address(),
                value.storage().address(),
                target.storage().address());
      }
      input.passOn(c, variable);
    };
  }

  private static void requireSameShape(Tensor variable, Tensor value) {
    if (!variable.shape().equals(value.shape())) {
      throw TributaryException.invalidArgument(
          "Cannot update variable with shape %s using a Tensor with shape %s, shapes must be"
              + " equal.",
          variable.shape(), value.shape());
    }
  }
}
