package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;

/**
 * The sizes of a batch of matrix products {@code c = op(a) * op(b)} with dense row-major matrices:
 * op(a) is [m, k], stored as [k, m] if {@code transposeA}; op(b) is [k, n], stored as [n, k] if
 * {@code transposeB}; c is [m, n].
 *
 * @param type FLOAT, DOUBLE, INT32 or INT64; integers wrap around
 * @param batch the number of products
 * @param strideA elements from one a to the next, 0 if all products share one; likewise {@code
 *     strideB}. The results lie one behind the other.
 * @param accumulate whether products are added to what c holds, instead of replacing it
 */
public record GemmGeometry(
    DataType type,
    long batch,
    long m,
    long n,
    long k,
    boolean transposeA,
    boolean transposeB,
    long strideA,
    long strideB,
    boolean accumulate) {
  public GemmGeometry {
    if (batch < 0 || m < 0 || n < 0 || k < 0) {
      throw TributaryException.invalidArgument(
          "a matrix product needs known sizes, got %d x [%d, %d] x [%d, %d]", batch, m, k, k, n);
    }
    if (type != DataType.FLOAT
        && type != DataType.DOUBLE
        && type != DataType.INT32
        && type != DataType.INT64) {
      throw TributaryException.unimplemented(
          "matrix product of %s, wanted float, double, int32 or int64", type.lowerName());
    }
  }

  /** One product that replaces c. */
  public static GemmGeometry of(
      DataType type, long m, long n, long k, boolean transposeA, boolean transposeB) {
    return batched(type, 1, m, n, k, transposeA, transposeB);
  }

  /** Products of matrices which lie one behind the other. */
  public static GemmGeometry batched(
      DataType type, long batch, long m, long n, long k, boolean transposeA, boolean transposeB) {
    return new GemmGeometry(type, batch, m, n, k, transposeA, transposeB, m * k, k * n, false);
  }

  /** The same products, added to what c holds. */
  public GemmGeometry accumulating() {
    return new GemmGeometry(type, batch, m, n, k, transposeA, transposeB, strideA, strideB, true);
  }

  /** The same for another number of products. */
  public GemmGeometry withBatch(long products) {
    return new GemmGeometry(
        type, products, m, n, k, transposeA, transposeB, strideA, strideB, accumulate);
  }

  /** The same for a single product with another number of rows. */
  public GemmGeometry withRows(long rows) {
    final GemmGeometry result = of(type, rows, n, k, transposeA, transposeB);
    return accumulate ? result.accumulating() : result;
  }
}
