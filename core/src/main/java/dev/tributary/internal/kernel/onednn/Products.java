package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_sgemm;

import dev.tributary.internal.kernel.GemmGeometry;

/** Single matrix products through {@code dnnl_sgemm}, which needs no preparation. */
final class Products {
  private static final byte PLAIN = 'N';
  private static final byte TRANSPOSED = 'T';
  private static final ThreadLocal<Products> LOCAL = ThreadLocal.withInitial(Products::new);

  private final Floats a = new Floats();
  private final Floats b = new Floats();
  private final Floats c = new Floats();

  private Products() {}

  /** The pointers of the current thread. */
  static Products local() {
    return LOCAL.get();
  }

  /** The first product of {@code g}; sizes are positive. */
  void multiply(GemmGeometry g, long atA, long atB, long atC) {
    multiply(g.m(), g.n(), g.k(), g.transposeA(), g.transposeB(), g.accumulate(), atA, atB, atC);
  }

  void multiply(
      long m,
      long n,
      long k,
      boolean transposeA,
      boolean transposeB,
      boolean accumulate,
      long atA,
      long atB,
      long atC) {
    Library.check(
        dnnl_sgemm(
            transposeA ? TRANSPOSED : PLAIN,
            transposeB ? TRANSPOSED : PLAIN,
            m,
            n,
            k,
            1f,
            a.at(atA),
            transposeA ? m : k,
            b.at(atB),
            transposeB ? k : n,
            accumulate ? 1f : 0f,
            c.at(atC),
            n),
        "sgemm");
  }
}
