package dev.tributary.internal.kernel.flow;

import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.ResourceHandle;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.concurrent.atomic.AtomicLong;

/** Names the resources of a step, passes them on and finds them again, for their kernels. */
public final class StepResources {
  private static final String CONTAINER = "step";
  private static final AtomicLong NEXT = new AtomicLong();

  private StepResources() {}

  /** A name that no other resource of any step has: a loop may make a stack in each iteration. */
  public static String uniqueName(String hint) {
    return hint + "_" + NEXT.getAndIncrement();
  }

  /** A scalar tensor that stands for a resource of this step. */
  public static Tensor handle(KernelContext c, String name, Class<? extends Resource> type) {
    return Tensor.ofObjects(
        DataType.RESOURCE,
        Shape.scalar(),
        new ResourceHandle(c.device().name(), CONTAINER, name, type.getSimpleName()));
  }

  /** Returns whether a handle stands for a resource of its step. */
  public static boolean isHandle(ResourceHandle handle) {
    return handle.container().equals(CONTAINER);
  }

  public static String nameOf(Tensor handle) {
    return ((ResourceHandle) handle.objects()[0]).name();
  }

  /** The resource that input {@code i} stands for. */
  public static <R extends Resource> R lookup(KernelContext c, int i, Class<R> type) {
    return c.step().scratch().lookup(nameOf(c.input(i)), type);
  }
}
