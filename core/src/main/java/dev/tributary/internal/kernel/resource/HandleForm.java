package dev.tributary.internal.kernel.resource;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.ResourceHandle;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The two forms in which ops hand a queue, an accumulator or a table to each other. The handle is
 * output 0 of the op that makes the resource, and input 0 of those that use it.
 */
public enum HandleForm {
  /** A reference to two strings, container and name, as in TensorFlow's first graphs. */
  REFERENCE {
    @Override
    Consumer<KernelContext> giver(KernelNode node, ResourceName name, Class<?> type) {
      // It takes heap memory only, so nobody need close it.
      VariableResource handle = new VariableResource(name.name(), DataType.STRING, Shape.of(2));
      handle.assign(Tensor.of(name.container(), name.name()));
      return c -> c.setRefOutput(0, handle);
    }

    @Override
    public <R extends Resource> R lookup(KernelContext context, int input, Class<R> type) {
      try (Tensor handle = context.refInput(input).read()) {
        if (handle.elementCount() != 2) {
          throw TributaryException.invalidArgument(
              "a handle is two strings, container and name, got shape %s", handle.shape());
        }
        return named(context, handle.getString(0), handle.getString(1), type);
      }
    }
  },

  /** A resource handle. */
  RESOURCE {
    @Override
    Consumer<KernelContext> giver(KernelNode node, ResourceName name, Class<?> type) {
      ResourceHandle handle =
          new ResourceHandle(
              node.device().name(), name.container(), name.name(), type.getSimpleName());
      return c -> c.setOutput(0, Tensor.ofObjects(DataType.RESOURCE, Shape.scalar(), handle));
    }

    @Override
    public <R extends Resource> R lookup(KernelContext context, int input, Class<R> type) {
      ResourceHandle handle = ResourceHandle.ofInput(context, input);
      return named(context, handle.container(), handle.name(), type);
    }
  };

  /**
   * The kernel of an op that makes a resource: finds it by its name, or makes it, lets {@code
   * check} refuse one that others made unlike this node wants it, and gives its handle.
   */
  public <R extends Resource> Kernel maker(
      KernelNode node,
      ResourceName name,
      Class<R> type,
      Supplier<? extends R> make,
      Consumer<R> check) {
    return maker(node, name, type, call -> make.get(), check);
  }

  /** The same for a resource that is made from inputs of the op. */
  public <R extends Resource> Kernel maker(
      KernelNode node,
      ResourceName name,
      Class<R> type,
      Function<KernelContext, ? extends R> make,
      Consumer<R> check) {
    return new ResourceMaker<>(node.device(), name, type, make, check, giver(node, name, type));
  }

  /** The resource whose handle is input 0. */
  public <R extends Resource> R lookup(KernelContext context, Class<R> type) {
    return lookup(context, 0, type);
  }

  /** The resource whose handle is the given input. */
  public abstract <R extends Resource> R lookup(KernelContext context, int input, Class<R> type);

  /** The kernel that sets the handle as output 0. */
  abstract Consumer<KernelContext> giver(KernelNode node, ResourceName name, Class<?> type);

  static <R extends Resource> R named(
      KernelContext context, String container, String name, Class<R> type) {
    return context.device().resources().container(container).lookup(name, type);
  }
}
