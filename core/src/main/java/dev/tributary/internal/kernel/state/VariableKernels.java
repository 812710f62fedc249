package dev.tributary.internal.kernel.state;

import static dev.tributary.internal.kernel.state.VariableInput.container;
import static dev.tributary.internal.kernel.state.VariableInput.typed;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.ResourceHandle;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/** Factories of the kernels that make variables, read them, ask about them and drop them. */
public final class VariableKernels {
  private VariableKernels() {}

  /** A variable behind a reference edge, found by name in its container or made there. */
  public static Kernel reference(KernelNode node) {
    Attributes attributes = node.attributes();
    String name = resourceName(node);
    String container = attributes.string("container");
    DataType type = attributes.type("dtype");
    Shape shape = attributes.shape("shape");
    return c ->
        c.setRefOutput(
            0,
            typed(
                c.device()
                    .resources()
                    .container(container)
                    .findOrCreate(
                        name,
                        VariableResource.class,
                        () -> new VariableResource(name, type, shape)),
                type));
  }

  /** The handle of a resource variable, which need not exist yet. */
  public static Kernel handleOf(KernelNode node) {
    String container = node.attributes().string("container");
    ResourceHandle handle =
        new ResourceHandle(
            node.device().name(),
            container.isEmpty() ? ResourceContainers.DEFAULT : container,
            resourceName(node),
            VariableResource.class.getSimpleName());
    return c -> c.setOutput(0, Tensor.ofObjects(DataType.RESOURCE, Shape.scalar(), handle));
  }

  public static Kernel read(KernelNode node) {
    DataType type = node.attributes().type("dtype");
    return c -> {
      VariableResource variable =
          find(c)
              .orElseThrow(
                  () ->
                      TributaryException.failedPrecondition(
                          "Could not find variable %s in container '%s': it is uninitialized, or"
                              + " was destroyed; run tf.globalVariablesInitializer() first, or"
                              + " restore a checkpoint",
                          ResourceHandle.ofInput(c, 0).name(),
                          ResourceHandle.ofInput(c, 0).container()));
      c.setOutput(0, typed(variable, type).read());
    };
  }

  /**
   * Fails if there is no such variable. Reading one never copies it here, so there is nothing to
   * turn off.
   */
  public static Kernel requireExisting(KernelNode node) {
    return c -> {
      ResourceHandle handle = ResourceHandle.ofInput(c, 0);
      container(c, handle).lookup(handle.name(), VariableResource.class).requireInitialized();
    };
  }

  public static Kernel isInitialized(KernelNode node) {
    return c ->
        c.setOutput(0, Tensor.scalar(find(c).map(VariableResource::isInitialized).orElse(false)));
  }

  /** The shape of a resource variable's value. */
  public static Kernel shape(KernelNode node) {
    return c -> {
      ResourceHandle handle = ResourceHandle.ofInput(c, 0);
      try (Tensor value =
          container(c, handle).lookup(handle.name(), VariableResource.class).read()) {
        Shape shape = value.shape();
        Tensor sizes = c.allocateOutput(0, Shape.of(shape.rank()));
        for (int i = 0; i < shape.rank(); i++) {
          if (sizes.type() == DataType.INT32) {
            Memory.putInt(sizes.storage().address() + 4L * i, Math.toIntExact(shape.size(i)));
          } else {
            Memory.putLong(sizes.storage().address() + 8L * i, shape.size(i));
          }
        }
      }
    };
  }

  public static Kernel destroy(KernelNode node) {
    boolean mayBeMissing = node.attributes().bool("ignore_lookup_error");
    return c -> {
      ResourceHandle handle = ResourceHandle.ofInput(c, 0);
      if (!container(c, handle).remove(handle.name()) && !mayBeMissing) {
        throw TributaryException.notFound(
            "resource '%s' of container '%s' does not exist", handle.name(), handle.container());
      }
    };
  }

  /** Counts a scalar variable up by one and gives what it was before. */
  public static Kernel countUpTo(KernelNode node, VariableInput input) {
    long limit = node.attributes().integer("limit");
    DataType type = node.type();
    return c -> {
      VariableResource counter = input.variable(c, 0, type);
      try (VariableResource.Locked locked = VariableResource.lock(counter)) {
        Tensor value = locked.value(counter);
        if (value.rank() != 0) {
          throw TributaryException.invalidArgument(
              "a counter must be a scalar, got shape %s", value.shape());
        }
        long count = value.getIndex(0);
        if (count >= limit) {
          throw TributaryException.outOfRange("Reached limit of %d", limit);
        }
        boolean isInt = type == DataType.INT32;
        c.setOutput(0, value.retain());
        locked.assign(counter, isInt ? Tensor.scalar((int) (count + 1)) : Tensor.scalar(count + 1));
      }
    };
  }

  private static String resourceName(KernelNode node) {
    String shared = node.attributes().string("shared_name");
    return shared.isEmpty() ? node.name() : shared;
  }

  private static Optional<VariableResource> find(KernelContext context) {
    ResourceHandle handle = ResourceHandle.ofInput(context, 0);
    return container(context, handle).find(handle.name(), VariableResource.class);
  }
}
