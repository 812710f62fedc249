package dev.tributary.internal.kernel.queue;

import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Factories of the kernels of staging areas and staging maps. All ops with one name find, or make,
 * the same one.
 */
public final class StagingKernels {
  private StagingKernels() {}

  // ---- areas ----

  public static AsyncKernel stage(KernelNode node) {
    Function<KernelContext, StagingArea> area = area(node);
    return (c, done) -> area.apply(c).put(c, done);
  }

  public static AsyncKernel unstage(KernelNode node) {
    Function<KernelContext, StagingArea> area = area(node);
    int outputs = node.outputTypes().size();
    return (c, done) -> area.apply(c).get(c, done, outputs);
  }

  public static AsyncKernel peek(KernelNode node) {
    Function<KernelContext, StagingArea> area = area(node);
    int outputs = node.outputTypes().size();
    return (c, done) -> {
      IndexTensors.requireScalar(c.input(0), "index");
      area.apply(c).peek(c, done, c.input(0).intValue(), outputs);
    };
  }

  public static Kernel size(KernelNode node) {
    Function<KernelContext, StagingArea> area = area(node);
    return c -> c.setOutput(0, Tensor.scalar(area.apply(c).size()));
  }

  public static Kernel clear(KernelNode node) {
    Function<KernelContext, StagingArea> area = area(node);
    return c -> area.apply(c).clear();
  }

  // ---- maps ----

  public static AsyncKernel mapStage(KernelNode node, boolean isOrdered) {
    Function<KernelContext, StagingMap> map = map(node, isOrdered);
    return (c, done) -> map.apply(c).put(c, done, key(c), indices(c.input(1)));
  }

  public static AsyncKernel mapUnstage(KernelNode node, boolean isOrdered) {
    Function<KernelContext, StagingMap> map = map(node, isOrdered);
    return (c, done) -> map.apply(c).get(c, done, key(c), indices(c.input(1)), false);
  }

  public static AsyncKernel mapPeek(KernelNode node, boolean isOrdered) {
    Function<KernelContext, StagingMap> map = map(node, isOrdered);
    return (c, done) -> map.apply(c).get(c, done, key(c), indices(c.input(1)), true);
  }

  public static AsyncKernel mapUnstageAny(KernelNode node, boolean isOrdered) {
    Function<KernelContext, StagingMap> map = map(node, isOrdered);
    return (c, done) -> map.apply(c).getAny(c, done, indices(c.input(0)));
  }

  public static Kernel mapSize(KernelNode node, boolean isOrdered) {
    Function<KernelContext, StagingMap> map = map(node, isOrdered);
    return c -> c.setOutput(0, Tensor.scalar(map.apply(c).size()));
  }

  public static Kernel mapIncompleteSize(KernelNode node, boolean isOrdered) {
    Function<KernelContext, StagingMap> map = map(node, isOrdered);
    return c -> c.setOutput(0, Tensor.scalar(map.apply(c).incompleteSize()));
  }

  public static Kernel mapClear(KernelNode node, boolean isOrdered) {
    Function<KernelContext, StagingMap> map = map(node, isOrdered);
    return c -> map.apply(c).clear();
  }

  private static long key(KernelContext context) {
    IndexTensors.requireScalar(context.input(0), "key");
    return context.input(0).longValue();
  }

  private static int[] indices(Tensor tensor) {
    long[] indices = IndexTensors.vector(tensor, "indices");
    int[] result = new int[indices.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = (int) indices[i];
    }
    return result;
  }

  private static Function<KernelContext, StagingArea> area(KernelNode node) {
    ResourceName name = ResourceName.of(node);
    StagingLimits limits = StagingLimits.of(node);
    return found(name, StagingArea.class, () -> new StagingArea(name.name(), limits));
  }

  private static Function<KernelContext, StagingMap> map(KernelNode node, boolean isOrdered) {
    ResourceName name = ResourceName.of(node);
    StagingLimits limits = StagingLimits.of(node);
    List<DataType> types = node.attributes().types("dtypes");
    return found(
        name, StagingMap.class, () -> new StagingMap(name.name(), types, limits, isOrdered));
  }

  private static <R extends Resource> Function<KernelContext, R> found(
      ResourceName name, Class<R> kind, Supplier<R> make) {
    return c ->
        c.device().resources().container(name.container()).findOrCreate(name.name(), kind, make);
  }
}
