package dev.tributary.internal.kernel.accumulator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Factories of the kernels that make accumulators and use them, in either form of handle. */
public final class AccumulatorKernels {
  private AccumulatorKernels() {}

  public static Kernel dense(KernelNode node, HandleForm form) {
    AccumulatorSpec spec = AccumulatorSpec.of(node);
    ResourceName name = ResourceName.of(node);
    return form.maker(
        node,
        name,
        DenseAccumulator.class,
        () -> new DenseAccumulator(name.name(), spec),
        accumulator -> accumulator.spec().requireFits(name.name(), spec));
  }

  public static Kernel sparse(KernelNode node, HandleForm form) {
    AccumulatorSpec spec = AccumulatorSpec.of(node);
    ResourceName name = ResourceName.of(node);
    return form.maker(
        node,
        name,
        SparseAccumulator.class,
        () -> new SparseAccumulator(name.name(), spec),
        accumulator -> accumulator.spec().requireFits(name.name(), spec));
  }

  public static Kernel applyDense(KernelNode node, HandleForm form) {
    return apply(node, form, DenseAccumulator.class);
  }

  public static Kernel applySparse(KernelNode node, HandleForm form) {
    return apply(node, form, SparseAccumulator.class);
  }

  public static AsyncKernel takeDense(KernelNode node, HandleForm form) {
    return take(node, form, DenseAccumulator.class);
  }

  public static AsyncKernel takeSparse(KernelNode node, HandleForm form) {
    return take(node, form, SparseAccumulator.class);
  }

  public static Kernel accumulated(KernelNode node, HandleForm form) {
    return c -> c.setOutput(0, Tensor.scalar(any(c, form).accumulated()));
  }

  public static Kernel setGlobalStep(KernelNode node, HandleForm form) {
    return c -> any(c, form).setGlobalStep(scalar(c, "new_global_step").longValue());
  }

  private static Kernel apply(
      KernelNode node, HandleForm form, Class<? extends ConditionalAccumulator> kind) {
    DataType type = node.attributes().type("dtype");
    return c -> {
      ConditionalAccumulator accumulator = form.lookup(c, kind);
      accumulator.spec().requireType(type);
      accumulator.apply(scalar(c, "local_step").longValue(), c);
    };
  }

  private static AsyncKernel take(
      KernelNode node, HandleForm form, Class<? extends ConditionalAccumulator> kind) {
    DataType type = node.attributes().type("dtype");
    return (c, done) -> {
      ConditionalAccumulator accumulator = form.lookup(c, kind);
      accumulator.spec().requireType(type);
      accumulator.take(scalar(c, "num_required").intValue(), c, done);
    };
  }

  private static ConditionalAccumulator any(KernelContext context, HandleForm form) {
    return form.lookup(context, ConditionalAccumulator.class);
  }

  private static Tensor scalar(KernelContext context, String name) {
    Tensor value = context.input(1);
    if (value.rank() != 0) {
      throw TributaryException.invalidArgument(
          "%s must be a scalar, got shape %s", name, value.shape());
    }
    return value;
  }
}
