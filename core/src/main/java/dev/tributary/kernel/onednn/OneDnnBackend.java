package dev.tributary.kernel.onednn;

import dev.tributary.kernel.GemmGeometry;
import dev.tributary.kernel.ParallelFor;
import dev.tributary.kernel.plain.PlainBackend;
import dev.tributary.tensor.DataType;

/**
 * The native twin: float primitives through oneDNN where it gives the same results and is faster,
 * and the definition in plain Java for everything else.
 */
public final class OneDnnBackend extends PlainBackend {
  private final int threads;

  public OneDnnBackend(ParallelFor parallel) {
    super(parallel);
    this.threads = parallel.threads();
  }

  @Override
  public void gemm(GemmGeometry g, long a, long b, long c) {
    if (g.type() != DataType.FLOAT || g.m() == 0 || g.n() == 0 || g.k() == 0) {
      super.gemm(g, a, b, c);
      return;
    }
    OmpThreads.use(threads);
    final Products products = Products.local();
    for (long i = 0; i < g.batch(); i++) {
      products.multiply(
          g,
          a + i * g.strideA() * Float.BYTES,
          b + i * g.strideB() * Float.BYTES,
          c + i * g.m() * g.n() * Float.BYTES);
    }
  }
}
