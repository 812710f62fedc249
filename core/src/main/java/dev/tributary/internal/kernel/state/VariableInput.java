package dev.tributary.internal.kernel.state;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.ResourceContainer;
import dev.tributary.internal.kernel.ResourceHandle;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.tensor.DataType;

/**
 * Finds the variable in one of a kernel's inputs: a reference or a resource handle. Safe for many
 * threads.
 */
public enum VariableInput {
  REFERENCE {
    @Override
    public VariableResource variable(KernelContext context, int input, DataType type) {
      return context.refInput(input);
    }

    @Override
    public void passOn(KernelContext context, VariableResource variable) {
      context.setRefOutput(0, variable);
    }
  },

  RESOURCE {
    @Override
    public VariableResource variable(KernelContext context, int input, DataType type) {
      ResourceHandle handle = ResourceHandle.ofInput(context, input);
      return typed(container(context, handle).lookup(handle.name(), VariableResource.class), type);
    }

    @Override
    public void passOn(KernelContext context, VariableResource variable) {}
  };

  /** The variable; fails if there is none, or if it holds another type. */
  public abstract VariableResource variable(KernelContext context, int input, DataType type);

  /** Makes a changed variable the op's output, where such ops have one. */
  public abstract void passOn(KernelContext context, VariableResource variable);

  static ResourceContainer container(KernelContext context, ResourceHandle handle) {
    return context.device().resources().container(handle.container());
  }

  static VariableResource typed(VariableResource variable, DataType type) {
    if (variable.type() != type) {
      throw TributaryException.invalidArgument(
          "variable '%s' has the wrong type: expected %s, got %s",
          variable.name(), type.lowerName(), variable.type().lowerName());
    }
    return variable;
  }
}
