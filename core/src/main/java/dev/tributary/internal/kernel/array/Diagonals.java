package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * The kernels of MatrixDiag, MatrixDiagPart and MatrixSetDiag: some neighbouring diagonals of
 * matrices, and tensors that hold them as rows, the uppermost first. Rows of shorter diagonals are
 * filled up at one end.
 */
public final class Diagonals {
  /** The diagonals from {@code lower} to {@code upper}, where 0 is the main one. */
  public record Range(long lower, long upper) {
    public static final Range MAIN = new Range(0, 0);

    /** Reads one diagonal, or the lower and the upper one. */
    public static Range of(long... k) {
      if (k.length != 1 && k.length != 2) {
        throw TributaryException.invalidArgument(
            "diag_index must have only one or two elements, received %d elements.", k.length);
      }
      Range range = new Range(k[0], k[k.length - 1]);
      if (range.lower > range.upper) {
        throw TributaryException.invalidArgument(
            "lower_diag_index must not be larger than upper_diag_index: %d > %d",
            range.lower, range.upper);
      }
      return range;
    }

    private static Range of(Tensor k) {
      if (k.rank() > 1) {
        throw TributaryException.invalidArgument(
            "diag_index must be a scalar or vector, received shape: %s", k.shape());
      }
      return of(IndexTensors.all(k));
    }

    private boolean isOne() {
      return lower == upper;
    }

    private long count() {
      return upper - lower + 1;
    }

    private long longest(long rows, long columns) {
      return Math.min(rows + Math.min(upper, 0), columns - Math.max(lower, 0));
    }

    private void requireInside(long rows, long columns) {
      requireInside("lower", lower, rows, columns);
      requireInside("upper", upper, rows, columns);
    }

    private static void requireInside(String which, long diagonal, long rows, long columns) {
      if (diagonal != 0 && (diagonal <= -rows || diagonal >= columns)) {
        throw TributaryException.invalidArgument(
            "%s_diag_index is out of bound: %d. It must be between %d and %d",
            which, diagonal, -rows, columns);
      }
    }

    /** The shape of the diagonals of matrices of known size. */
    public Shape parts(Shape matrices) {
      long rows = matrices.size(-2);
      long columns = matrices.size(-1);
      if (rows == Shape.UNKNOWN || columns == Shape.UNKNOWN) {
        return parts(matrices, Shape.UNKNOWN);
      }
      requireInside(rows, columns);
      return parts(matrices, longest(rows, columns));
    }

    private Shape parts(Shape matrices, long length) {
      Shape batch = matrices.slice(0, matrices.rank() - 2);
      return batch.concatenate(isOne() ? Shape.of(length) : Shape.of(count(), length));
    }

    /**
     * The shape of the matrices with these diagonals.
     *
     * @param rows -1 for as few as need be; so {@code columns}
     */
    public Shape matrices(Shape parts, long rows, long columns) {
      int own = isOne() ? 1 : 2;
      if (parts.rank() < own) {
        throw TributaryException.invalidArgument(
            "diagonal must be at least %d-dim, received shape: %s", own, parts);
      }
      if (!isOne() && parts.size(-2) != Shape.UNKNOWN && parts.size(-2) != count()) {
        throw TributaryException.invalidArgument(
            "The number of diagonals provided in the input does not match the lower_diag_index and"
                + " upper_diag_index range: %s for %d to %d",
            parts, lower, upper);
      }
      Shape batch = parts.slice(0, parts.rank() - own);
      long length = parts.size(-1);
      if (length == Shape.UNKNOWN) {
        return batch.concatenate(Shape.of(Math.max(-1, rows), Math.max(-1, columns)));
      }
      long leastRows = length - Math.min(upper, 0);
      long leastColumns = length + Math.max(lower, 0);
      long square = rows < 0 && columns < 0 ? Math.max(leastRows, leastColumns) : -1;
      long height = square >= 0 ? square : rows < 0 ? leastRows : rows;
      long width = square >= 0 ? square : columns < 0 ? leastColumns : columns;
      if (height < leastRows || width < leastColumns) {
        throw TributaryException.invalidArgument(
            "The number of rows or columns is too small: %d x %d, wanted at least %d x %d",
            height, width, leastRows, leastColumns);
      }
      if (height != leastRows && width != leastColumns) {
        throw TributaryException.invalidArgument(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper,"
                + " and diagonal: %d x %d, wanted %d rows or %d columns",
            height, width, leastRows, leastColumns);
      }
      requireInside(height, width);
      return batch.concatenate(Shape.of(height, width));
    }
  }

  private final Optional<String> alignment;

  private Diagonals(KernelNode node) {
    this.alignment =
        node.attributes().has("align")
            ? Optional.of(node.attributes().string("align"))
            : Optional.empty();
  }

  /** Inputs: matrices; of the newer forms which diagonals, and the element to fill up with. */
  public static Kernel part(KernelNode node) {
    Diagonals diagonals = new Diagonals(node);
    boolean main = node.inputTypes().size() == 1;
    return context -> {
      Tensor matrices = requireMatrices(context.input(0));
      Range range = main ? Range.MAIN : Range.of(context.input(1));
      Tensor parts = context.allocateOutput(0, range.parts(matrices.shape()));
      if (main) {
        Fill.zeros(parts);
      } else {
        IndexTensors.requireScalar(context.input(2), "padding_value");
        Fill.with(context.input(2), parts);
      }
      diagonals.move(range, matrices, parts, true);
    };
  }

  /**
   * Inputs: diagonals; of the newer forms which ones, rows, columns, and the element to fill up
   * with.
   */
  public static Kernel matrix(KernelNode node) {
    Diagonals diagonals = new Diagonals(node);
    boolean main = node.inputTypes().size() == 1;
    return context -> {
      Tensor parts = context.input(0);
      Range range = main ? Range.MAIN : Range.of(context.input(1));
      long rows = main ? -1 : size(context.input(2), "num_rows");
      long columns = main ? -1 : size(context.input(3), "num_cols");
      Tensor matrices = context.allocateOutput(0, range.matrices(parts.shape(), rows, columns));
      if (main) {
        Fill.zeros(matrices);
      } else {
        IndexTensors.requireScalar(context.input(4), "padding_value");
        Fill.with(context.input(4), matrices);
      }
      diagonals.move(range, matrices, parts, false);
    };
  }

  /** Inputs: matrices, the diagonals to put in; of the newer forms which ones these are. */
  public static Kernel set(KernelNode node) {
    Diagonals diagonals = new Diagonals(node);
    boolean main = node.inputTypes().size() == 2;
    return context -> {
      Tensor input = requireMatrices(context.input(0));
      Tensor parts = context.input(1);
      Range range = main ? Range.MAIN : Range.of(context.input(2));
      Shape wanted = range.parts(input.shape());
      if (!parts.shape().equals(wanted)) {
        throw TributaryException.invalidArgument(
            "diagonals %d to %d of matrices of shape %s must have shape %s, got %s",
            range.lower, range.upper, input.shape(), wanted, parts.shape());
      }
      Tensor output = context.forwardOrAllocate(0, 0, input.shape());
      if (!output.sharesStorageWith(input)) {
        Moves.rows(1, input.elementCount(), input, 0, 0, output, 0, 0);
      }
      diagonals.move(range, output, parts, false);
    };
  }

  private void move(Range range, Tensor matrices, Tensor parts, boolean toParts) {
    if (matrices.elementCount() == 0 || parts.elementCount() == 0) {
      return;
    }
    long rows = matrices.shape().size(-2);
    long columns = matrices.shape().size(-1);
    long longest = parts.shape().size(-1);
    long batch = matrices.elementCount() / (rows * columns);
    long[] matrixSteps = {rows * columns, columns + 1};
    long[] partSteps = {range.count() * longest, 1};
    for (long d = range.upper; d >= range.lower; d--) {
      long length = Math.min(rows + Math.min(0, d), columns - Math.max(0, d));
      long[] sizes = {batch, length};
      long corner = Math.max(0, -d) * columns + Math.max(0, d);
      long row = (range.upper - d) * longest + (isLeft(d) ? 0 : longest - length);
      if (toParts) {
        Moves.copy(sizes, matrices, corner, matrixSteps, parts, row, partSteps);
      } else {
        Moves.copy(sizes, parts, row, partSteps, matrices, corner, matrixSteps);
      }
    }
  }

  private boolean isLeft(long diagonal) {
    String[] sides = alignment.orElse("LEFT_LEFT").split("_");
    return diagonal >= 0 && sides[0].equals("LEFT") || diagonal <= 0 && sides[1].equals("LEFT");
  }

  private static long size(Tensor tensor, String what) {
    IndexTensors.requireScalar(tensor, what);
    return tensor.getIndex(0);
  }

  private static Tensor requireMatrices(Tensor input) {
    if (input.rank() < 2) {
      throw TributaryException.invalidArgument(
          "input must be at least 2-dim, received shape: %s", input.shape());
    }
    return input;
  }
}
