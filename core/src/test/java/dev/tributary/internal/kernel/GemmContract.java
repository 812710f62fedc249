package dev.tributary.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Matrix products, against the triple loop. */
public interface GemmContract extends BackendContract {
  int[][] SIZES = {
    {1, 1, 1},
    {2, 3, 5},
    {7, 1, 9},
    {1, 70, 3},
    {70, 3, 11},
    {33, 65, 17},
    {129, 130, 131},
    {5, 520, 260},
    {65, 256, 33},
    {300, 10, 140},
    {3, 4, 9001},
    {3, 4, 0},
    {0, 4, 3},
    {4, 0, 3}
  };

  @Test
  default void gemm_oddSizesAndTransposes_equalsTripleLoop() {
    for (DataType type : REALS) {
      for (int[] size : SIZES) {
        for (int flags = 0; flags < 4; flags++) {
          GemmGeometry g =
              GemmGeometry.of(type, size[0], size[1], size[2], (flags & 1) != 0, (flags & 2) != 0);
          double[] a = random(1, g.m() * g.k());
          double[] b = random(2, g.k() * g.n());
          try (Tensor ta = tensor(type, a);
              Tensor tb = tensor(type, b);
              Tensor tc = unwritten(type, g.m() * g.n())) {
            backend()
                .gemm(g, ta.storage().address(), tb.storage().address(), tc.storage().address());
            assertClose(g.toString(), tc, product(g, a, 0, b, 0), g.k());
          }
        }
      }
    }
  }

  @Test
  default void gemm_accumulating_addsToWhatIsThere() {
    for (DataType type : REALS) {
      int[][] sizes = {{5, 7, 9}, {90, 6, 33}, {3, 4, 9001}, {3, 4, 0}, {65, 256, 33}};
      for (int i = 0; i < 2 * sizes.length; i++) {
        int[] size = sizes[i / 2];
        GemmGeometry g =
            GemmGeometry.of(type, size[0], size[1], size[2], i % 2 == 1, false).accumulating();
        double[] a = random(1, g.m() * g.k());
        double[] b = random(2, g.k() * g.n());
        double[] c = random(3, g.m() * g.n());
        try (Tensor ta = tensor(type, a);
            Tensor tb = tensor(type, b);
            Tensor tc = tensor(type, c)) {
          backend().gemm(g, ta.storage().address(), tb.storage().address(), tc.storage().address());
          double[] wanted = product(g, a, 0, b, 0);
          for (int j = 0; j < wanted.length; j++) {
            wanted[j] += c[j];
          }
          assertClose(g.toString(), tc, wanted, g.k());
        }
      }
    }
  }

  @Test
  default void gemm_batchWithSharedOperand_multipliesEach() {
    int batch = 5;
    for (DataType type : REALS) {
      for (int side : new int[] {3, 70}) {
        for (boolean accumulate : new boolean[] {false, true}) {
          long strideA = side * (side + 2L);
          GemmGeometry g =
              new GemmGeometry(
                  type, batch, side, side + 1, side + 2, false, true, strideA, 0, accumulate);
          double[] a = random(1, batch * g.strideA());
          double[] b = random(2, g.k() * g.n());
          double[] c = accumulate ? random(3, batch * g.m() * g.n()) : null;
          double[] wanted = accumulate ? c.clone() : new double[(int) (batch * g.m() * g.n())];
          try (Tensor ta = tensor(type, a);
              Tensor tb = tensor(type, b);
              Tensor tc = accumulate ? tensor(type, c) : unwritten(type, wanted.length)) {
            backend()
                .gemm(g, ta.storage().address(), tb.storage().address(), tc.storage().address());
            for (int i = 0; i < batch; i++) {
              double[] one = product(g, a, (int) (i * g.strideA()), b, 0);
              for (int j = 0; j < one.length; j++) {
                wanted[i * one.length + j] += one[j];
              }
            }
            assertClose(g.toString(), tc, wanted, g.k());
          }
        }
      }
    }
  }

  @Test
  default void gemm_integers_wrapAround() {
    int m = 3;
    int n = 70;
    int k = 131;
    Random random = new Random(4);
    long[] a = random.longs(m * k).toArray();
    long[] b = random.longs(k * n).toArray();
    long[] wanted = new long[m * n];
    for (int i = 0; i < m * n; i++) {
      for (int p = 0; p < k; p++) {
        wanted[i] += a[i / n * k + p] * b[p * n + i % n];
      }
    }
    int[] narrowA = Arrays.stream(a).mapToInt(x -> (int) x).toArray();
    int[] narrowB = Arrays.stream(b).mapToInt(x -> (int) x).toArray();
    try (Tensor ta = Tensor.of(a);
        Tensor tb = Tensor.of(b);
        Tensor tc = Tensor.of(new long[m * n]);
        Tensor na = Tensor.of(narrowA);
        Tensor nb = Tensor.of(narrowB);
        Tensor nc = Tensor.of(new int[m * n])) {
      backend()
          .gemm(
              GemmGeometry.of(DataType.INT64, m, n, k, false, false),
              ta.storage().address(),
              tb.storage().address(),
              tc.storage().address());
      assertThat(tc.toLongs()).isEqualTo(wanted);
      backend()
          .gemm(
              GemmGeometry.of(DataType.INT32, m, n, k, false, false),
              na.storage().address(),
              nb.storage().address(),
              nc.storage().address());
      assertThat(nc.toInts()).isEqualTo(Arrays.stream(wanted).mapToInt(x -> (int) x).toArray());
    }
  }

  @Test
  default void gemm_boolean_isUnimplemented() {
    assertThatThrownBy(() -> GemmGeometry.of(DataType.BOOL, 1, 1, 1, false, false))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("bool");
  }

  static double[] product(GemmGeometry g, double[] a, int atA, double[] b, int atB) {
    double[] c = new double[(int) (g.m() * g.n())];
    for (int i = 0; i < g.m(); i++) {
      for (int j = 0; j < g.n(); j++) {
        for (int p = 0; p < g.k(); p++) {
          double x = a[(int) (atA + (g.transposeA() ? p * g.m() + i : i * g.k() + p))];
          double y = b[(int) (atB + (g.transposeB() ? j * g.k() + p : p * g.n() + j))];
          c[(int) (i * g.n() + j)] += x * y;
        }
      }
    }
    return c;
  }
}
