package dev.tributary.internal.kernel;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Pooling and its gradients, against plain loops. Inputs have few distinct values, so that maxima
 * are seldom single.
 */
public interface PoolingContract extends BackendContract {
  @Test
  default void maxPool_allGeometries_isLargestOfWindow() {
    for (PoolGeometry g : poolGeometries()) {
      for (DataType type : REALS) {
        double[] input = coarse(g.inputElements());
        double[] wanted = new double[(int) g.outputElements()];
        double lowest = type == DataType.FLOAT ? -Float.MAX_VALUE : -Double.MAX_VALUE;
        forEachWindow(
            g,
            (out, in) ->
                wanted[out] = Arrays.stream(in).mapToDouble(i -> input[i]).max().orElse(lowest));
        try (Tensor x = tensor(type, input);
            Tensor y = unwritten(type, g.outputElements())) {
          backend().maxPool(type, g, x.storage().address(), y.storage().address());
          assertClose(g.toString(), y, wanted);
        }
      }
    }
  }

  @Test
  default void maxPool_NaN_doesNotCount() {
    Window two = Window.of("VALID", 2, 2, 1, 1);
    PoolGeometry g = new PoolGeometry(ImageFormat.NHWC, 1, 2, two, two);
    double nan = Double.NaN;
    for (DataType type : REALS) {
      double lowest = type == DataType.FLOAT ? -Float.MAX_VALUE : -Double.MAX_VALUE;
      try (Tensor x = tensor(type, nan, nan, -3, nan, nan, nan, -4, nan);
          Tensor y = unwritten(type, 2)) {
        backend().maxPool(type, g, x.storage().address(), y.storage().address());
        assertClose("NaN", y, new double[] {-3, lowest});
      }
    }
  }

  @Test
  default void maxPoolGradient_tiedMaxima_goesToFirst() {
    for (PoolGeometry g : poolGeometries()) {
      for (DataType type : REALS) {
        double[] input = coarse(g.inputElements());
        double[] gradient = random(5, g.outputElements());
        double[] wanted = new double[(int) g.inputElements()];
        forEachWindow(
            g,
            (out, in) -> {
              int best = -1;
              for (int i : in) {
                best = best < 0 || input[i] > input[best] ? i : best;
              }
              if (best >= 0) {
                wanted[best] += gradient[out];
              }
            });
        try (Tensor x = tensor(type, input);
            Tensor dy = tensor(type, gradient);
            Tensor dx = unwritten(type, g.inputElements())) {
          backend()
              .maxPoolGradient(
                  type, g, x.storage().address(), dy.storage().address(), dx.storage().address());
          assertClose(g.toString(), dx, wanted);
        }
      }
    }
  }

  @Test
  default void averagePool_padding_doesNotCount() {
    for (PoolGeometry g : poolGeometries()) {
      for (DataType type : REALS) {
        double[] input = random(3, g.inputElements());
        double[] wanted = new double[(int) g.outputElements()];
        forEachWindow(
            g,
            (out, in) ->
                wanted[out] = Arrays.stream(in).mapToDouble(i -> input[i]).average().orElse(0));
        try (Tensor x = tensor(type, input);
            Tensor y = unwritten(type, g.outputElements())) {
          backend().averagePool(type, g, x.storage().address(), y.storage().address());
          assertClose(g.toString(), y, wanted);
        }
      }
    }
  }

  @Test
  default void averagePoolGradient_allGeometries_isSpreadOverWindow() {
    for (PoolGeometry g : poolGeometries()) {
      for (DataType type : REALS) {
        double[] gradient = random(3, g.outputElements());
        double[] wanted = new double[(int) g.inputElements()];
        forEachWindow(
            g,
            (out, in) -> {
              for (int i : in) {
                wanted[i] += gradient[out] / in.length;
              }
            });
        try (Tensor dy = tensor(type, gradient);
            Tensor dx = unwritten(type, g.inputElements())) {
          backend().averagePoolGradient(type, g, dy.storage().address(), dx.storage().address());
          assertClose(g.toString(), dx, wanted);
        }
      }
    }
  }

  private double[] coarse(long count) {
    double[] values = random(7, count);
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.rint(values[i] * 2) - 5;
    }
    return values;
  }

  /** An output's index, and those of the inputs in its window, in row-major order. */
  @FunctionalInterface
  interface Visit {
    void accept(int output, int[] inputs);
  }

  private static void forEachWindow(PoolGeometry g, Visit visit) {
    Window h = g.height();
    Window w = g.width();
    for (long n = 0; n < g.batch(); n++) {
      for (long i = 0; i < h.output(); i++) {
        for (long j = 0; j < w.output(); j++) {
          for (long c = 0; c < g.channels(); c++) {
            List<Integer> inputs = new ArrayList<>();
            for (long y = h.start(i); y < h.start(i) + h.size(); y++) {
              for (long x = w.start(j); x < w.start(j) + w.size(); x++) {
                if (y >= 0 && y < h.input() && x >= 0 && x < w.input()) {
                  inputs.add(
                      BackendContract.at(
                          g.format(), h.input(), w.input(), g.channels(), n, y, x, c));
                }
              }
            }
            visit.accept(
                BackendContract.at(g.format(), h.output(), w.output(), g.channels(), n, i, j, c),
                inputs.stream().mapToInt(Integer::intValue).toArray());
          }
        }
      }
    }
  }

  private static List<PoolGeometry> poolGeometries() {
    List<PoolGeometry> all = new ArrayList<>();
    for (ImageFormat format : ImageFormat.values()) {
      Window[][] windows = {
        {Window.of("VALID", 1, 1, 1, 1), Window.of("VALID", 1, 1, 1, 1)},
        {Window.of("VALID", 8, 2, 2, 1), Window.of("VALID", 7, 2, 2, 1)},
        {Window.of("SAME", 7, 3, 2, 1), Window.of("SAME", 5, 4, 1, 1)},
        {Window.of("SAME", 7, 2, 3, 1), Window.of("VALID", 9, 5, 4, 1)},
        {Window.of("EXPLICIT", 5, 3, 1, 1, 2, 1), Window.of("EXPLICIT", 6, 3, 2, 1, 1, 2)},
        {Window.of("VALID", 2, 3, 2, 1), Window.of("SAME", 5, 4, 1, 1)},
        {Window.of("SAME", 0, 3, 2, 1), Window.of("SAME", 5, 4, 1, 1)}
      };
      for (Window[] window : windows) {
        for (long channels : new long[] {1, 3, 17}) {
          all.add(new PoolGeometry(format, 3, channels, window[0], window[1]));
        }
      }
      all.add(new PoolGeometry(format, 0, 2, windows[1][0], windows[1][1]));
      all.add(new PoolGeometry(format, 2, 0, windows[1][0], windows[1][1]));
    }
    return all;
  }
}
