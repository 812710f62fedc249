package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.tensor.DataType;
import java.util.EnumMap;
import java.util.Map;

/**
 * The blocked matrix product. The result is cut into tiles; a tile is summed up in a heap panel
 * over blocks of the inner dimension, which are packed into two more panels, and written out once.
 * Long inner dimensions over few tiles (filter gradients) are cut too, into parts that depend on
 * the sizes only, and added in order: results do not depend on the number of threads.
 */
final class Gemm {
  private static final int ROWS = 128;
  private static final int COLUMNS = 512;
  private static final int DEPTH = 128;
  private static final int PART = 4096;
  private static final int MAX_PARTS = 8;
  private static final int NARROW = 64;
  private static final double SMALL = 1 << 18;

  private final ParallelFor parallel;
  private final ThreadLocal<Map<DataType, Panels>> panels =
      ThreadLocal.withInitial(() -> new EnumMap<>(DataType.class));

  Gemm(ParallelFor parallel) {
    this.parallel = parallel;
  }

  private record Panels(Panel a, Panel b, Panel c) {
    static Panels of(DataType type) {
      return new Panels(
          Panel.of(type, ROWS, DEPTH),
          Panel.of(type, DEPTH, COLUMNS),
          Panel.of(type, ROWS, COLUMNS));
    }
  }

  /** A matrix, and whether its transpose is meant. */
  private record Operand(Matrix matrix, boolean flip) {
    void load(Panel to, long row, int rows, long column, int columns) {
      if (flip) {
        matrix.load(to, true, column, columns, row, rows);
      } else {
        matrix.load(to, false, row, rows, column, columns);
      }
    }

    void store(Panel from, long row, int rows, long column, int columns, boolean accumulate) {
      if (flip) {
        matrix.store(from, true, column, columns, row, rows, accumulate);
      } else {
        matrix.store(from, false, row, rows, column, columns, accumulate);
      }
    }

    Operand transposed() {
      return new Operand(matrix, !flip);
    }
  }

  private record Product(
      DataType type, Operand a, Operand b, Operand c, long m, long n, long k, boolean accumulate) {
    double work() {
      return (double) m * n * Math.max(1, k);
    }
  }

  void run(GemmGeometry g, long a, long b, long c) {
    final int size = g.type().size();
    if (g.batch() == 1 || work(g) >= SMALL) {
      for (long i = 0; i < g.batch(); i++) {
        multiply(
            product(
                g,
                a + i * g.strideA() * size,
                b + i * g.strideB() * size,
                c + i * g.m() * g.n() * size));
      }
      return;
    }
    parallel.range(
        g.batch(),
        (long) (SMALL / Math.max(1, work(g))) + 1,
        (from, to) -> {
          for (long i = from; i < to; i++) {
            inline(
                product(
                    g,
                    a + i * g.strideA() * size,
                    b + i * g.strideB() * size,
                    c + i * g.m() * g.n() * size));
          }
        });
  }

  /** {@code c = a * b}, where a is [m, k], or [k, m] and meant transposed if {@code flipA}. */
  void multiply(
      DataType type,
      Matrix a,
      boolean flipA,
      Matrix b,
      Matrix c,
      long m,
      long n,
      long k,
      boolean accumulate) {
    multiply(
        product(
            type,
            new Operand(a, flipA),
            new Operand(b, false),
            new Operand(c, false),
            m,
            n,
            k,
            accumulate));
  }

  private static double work(GemmGeometry g) {
    return (double) g.m() * g.n() * g.k();
  }

  private static Product product(GemmGeometry g, long a, long b, long c) {
    final int size = g.type().size();
    return product(
        g.type(),
        new Operand(DenseMatrix.of(a, g.transposeA() ? g.m() : g.k(), size, g.transposeA()), false),
        new Operand(DenseMatrix.of(b, g.transposeB() ? g.k() : g.n(), size, g.transposeB()), false),
        new Operand(DenseMatrix.of(c, g.n(), size, false), false),
        g.m(),
        g.n(),
        g.k(),
        g.accumulate());
  }

  /**
   * The product in the form whose result rows, along which the inner loop runs, are not short, and
   * lie together.
   */
  private static Product product(
      DataType type, Operand a, Operand b, Operand c, long m, long n, long k, boolean accumulate) {
    return n < m && (n < NARROW || c.matrix.isColumnMajor())
        ? new Product(type, b.transposed(), a.transposed(), c.transposed(), n, m, k, accumulate)
        : new Product(type, a, b, c, m, n, k, accumulate);
  }

  private void multiply(Product p) {
    if (p.m == 0 || p.n == 0) {
      return;
    }
    if (p.work() < SMALL) {
      inline(p);
      return;
    }
    final int parts = tiles(p, ROWS, COLUMNS) == 1 ? (int) Math.min(MAX_PARTS, p.k / PART) : 1;
    if (parts > 1) {
      inParts(p, parts);
      return;
    }
    int rows = ROWS;
    int columns = COLUMNS;
    while (tiles(p, rows, columns) < 2L * parallel.threads() && parallel.threads() > 1) {
      if (columns > 128 && p.n > 128) {
        columns /= 2;
      } else if (rows > 32 && p.m > 32) {
        rows /= 2;
      } else {
        break;
      }
    }
    final int height = rows;
    final int width = columns;
    final long across = (p.n + width - 1) / width;
    parallel.run(
        Math.toIntExact(tiles(p, height, width)),
        i -> tile(p, i / across * height, height, i % across * width, width));
  }

  private void inline(Product p) {
    for (long i = 0; i < p.m; i += ROWS) {
      for (long j = 0; j < p.n; j += COLUMNS) {
        tile(p, i, ROWS, j, COLUMNS);
      }
    }
  }

  private static long tiles(Product p, int rows, int columns) {
    return ((p.m + rows - 1) / rows) * ((p.n + columns - 1) / columns);
  }

  private void tile(Product p, long row, int height, long column, int width) {
    final int rows = (int) Math.min(height, p.m - row);
    final int columns = (int) Math.min(width, p.n - column);
    final Panel sum = panels(p.type).c;
    sum(p, row, rows, column, columns, 0, p.k, sum);
    p.c.store(sum, row, rows, column, columns, p.accumulate);
  }

  /** The product whose result is a single tile, with its inner dimension in parts. */
  private void inParts(Product p, int parts) {
    final int rows = (int) p.m;
    final int columns = (int) p.n;
    final long depth = (p.k + parts - 1) / parts;
    final Panel[] sums = new Panel[parts];
    parallel.run(
        parts,
        i -> {
          sums[i] = Panel.of(p.type, rows, columns);
          sum(p, 0, rows, 0, columns, i * depth, Math.min(p.k, (i + 1) * depth), sums[i]);
        });
    for (int i = 1; i < parts; i++) {
      sums[0].add(sums[i], rows, columns);
    }
    p.c.store(sums[0], 0, rows, 0, columns, p.accumulate);
  }

  private void sum(
      Product p, long row, int rows, long column, int columns, long from, long to, Panel sum) {
    final Panels panels = panels(p.type);
    for (int r = 0; r < rows; r++) {
      sum.zero(false, r, 0, columns);
    }
    for (long k = from; k < to; k += DEPTH) {
      final int depth = (int) Math.min(DEPTH, to - k);
      p.a.load(panels.a, row, rows, k, depth);
      p.b.load(panels.b, k, depth, column, columns);
      sum.addProduct(panels.a, panels.b, rows, columns, depth);
    }
  }

  private Panels panels(DataType type) {
    return panels.get().computeIfAbsent(type, Panels::of);
  }
}
