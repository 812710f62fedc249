package dev.tributary.internal.kernel.state;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/** Factories of the kernels of variables that exist for one step, or one iteration of a loop. */
public final class TemporaryVariables {
  private TemporaryVariables() {}

  /** Makes a variable full of zeros; TensorFlow leaves its contents undefined. */
  public static Kernel make(KernelNode node) {
    DataType type = node.attributes().type("dtype");
    Shape shape = node.attributes().shape("shape");
    String given = node.attributes().string("var_name");
    String name = given.isEmpty() ? node.name() : given;
    if (!shape.isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "TemporaryVariable '%s' needs a fully known shape, got %s", name, shape);
    }
    return c -> {
      VariableResource variable = new VariableResource(name, type, shape);
      c.step().scratch().add(inFrame(c, name), variable);
      variable.assign(SharedTensors.zeros(c.allocator(), type, shape));
      c.setRefOutput(0, variable);
    };
  }

  /** Gives the variable's value and drops the variable. */
  public static Kernel destroy(KernelNode node) {
    String name = node.attributes().string("var_name");
    return c -> {
      c.setOutput(0, c.refInput(0).read());
      if (!c.step().scratch().remove(inFrame(c, name))) {
        throw TributaryException.notFound(
            "this step has no temporary variable '%s': give both ops the same var_name", name);
      }
    };
  }

  /** Each iteration of a loop has variables of its own. */
  private static String inFrame(KernelContext context, String name) {
    return "TemporaryVariable/" + context.frameId() + "/" + context.iteration() + "/" + name;
  }
}
