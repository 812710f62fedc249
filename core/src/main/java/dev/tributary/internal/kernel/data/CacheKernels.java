package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Tensor;

/** The kernels of ops whose datasets keep elements for later passes. */
public final class CacheKernels {
  /** As many as TensorFlow's files have room for. */
  static final int MOST_ELEMENTS = 10_000_000;

  private CacheKernels() {}

  /** In memory if the name of the files is empty. */
  public static Kernel cache(KernelNode node) {
    String stage = DatasetKernels.stage(node);
    int components = ElementSpec.of(node).types().size();
    return DatasetKernels.unary(
        node,
        c -> {
          Tensor name = c.input(1);
          if (name.rank() != 0) {
            throw TributaryException.invalidArgument(
                "filename must be a scalar, but it has shape %s", name.shape());
          }
          String files = name.stringValue();
          Object key = new Object();
          DatasetKernels.Pass pass =
              files.isEmpty()
                  ? (context, input) ->
                      new MemoryCacheIterator(
                          context,
                          stage,
                          input,
                          context.shared(key, () -> new MemoryCache(context.heap())))
                  : (context, input) ->
                      new FileCacheIterator(context, stage, input, files, components);
          return pass.counting(n -> n);
        });
  }
}
