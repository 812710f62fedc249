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

  /**
   * The first product of {@code g}; sizes are positive.
   *
   * @param columnsOfA those of a as it lies in memory, of which the product may use only some
   */
  void multiply(GemmGeometry g, long columnsOfA, long atA, long atB, long atC) {
    multiply(
        g.m(),
        g.n(),
        g.k(),
        g.transposeA(),
        columnsOfA,
        g.transposeB(),
        g.accumulate(),
        atA,
        atB,
        atC);
  }

  void multiply(
      long m,
      long n,
      long k,
      boolean transposeA,
      long columnsOfA,
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
            columnsOfA,
            b.at(atB),
            transposeB ? k : n,
            accumulate ? 1f : 0f,
            c.at(atC),
            n),
        "sgemm");
  }
}
