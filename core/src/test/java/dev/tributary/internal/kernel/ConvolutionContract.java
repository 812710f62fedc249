package dev.tributary.internal.kernel;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Convolutions and their gradients, against seven nested loops. */
public interface ConvolutionContract extends BackendContract {
  @Test
  default void convolution_allGeometries_equalNestedLoops() {
    for (ConvGeometry g : geometries()) {
      for (DataType type : REALS) {
        double[] input = random(1, g.inputElements());
        double[] filter = random(2, g.filterElements());
        double[] wanted = new double[(int) g.outputElements()];
        forEach(g, (in, tap, out) -> wanted[out] += input[in] * filter[tap]);
        try (Tensor x = tensor(type, input);
            Tensor w = tensor(type, filter);
            Tensor y = unwritten(type, g.outputElements())) {
          backend()
              .convolution(
                  type, g, x.storage().address(), w.storage().address(), y.storage().address());
          assertClose(g.toString(), y, wanted);
        }
      }
    }
  }

  @Test
  default void convolutionInputGradient_allGeometries_equalsNestedLoops() {
    for (ConvGeometry g : geometries()) {
      for (DataType type : REALS) {
        double[] gradient = random(1, g.outputElements());
        double[] filter = random(2, g.filterElements());
        double[] wanted = new double[(int) g.inputElements()];
        forEach(g, (in, tap, out) -> wanted[in] += gradient[out] * filter[tap]);
        try (Tensor dy = tensor(type, gradient);
            Tensor w = tensor(type, filter);
            Tensor dx = unwritten(type, g.inputElements())) {
          backend()
              .convolutionInputGradient(
                  type, g, w.storage().address(), dy.storage().address(), dx.storage().address());
          assertClose(g.toString(), dx, wanted);
        }
      }
    }
  }

  @Test
  default void convolutionFilterGradient_allGeometries_equalsNestedLoops() {
    for (ConvGeometry g : geometries()) {
      for (DataType type : REALS) {
        double[] gradient = random(1, g.outputElements());
        double[] input = random(2, g.inputElements());
        double[] wanted = new double[(int) g.filterElements()];
        forEach(g, (in, tap, out) -> wanted[tap] += gradient[out] * input[in]);
        try (Tensor dy = tensor(type, gradient);
            Tensor x = tensor(type, input);
            Tensor dw = unwritten(type, g.filterElements())) {
          backend()
              .convolutionFilterGradient(
                  type, g, x.storage().address(), dy.storage().address(), dw.storage().address());
          assertClose(
              g.toString(), dw, wanted, g.batch() * g.height().output() * g.width().output());
        }
      }
    }
  }

  /** What meets in a convolution: indices into input, filter and output. */
  @FunctionalInterface
  interface Term {
    void accept(int input, int filter, int output);
  }

  private static void forEach(ConvGeometry g, Term term) {
    Window h = g.height();
    Window w = g.width();
    long groupOutputs = g.groups() == 0 ? 1 : g.outChannels() / g.groups();
    for (long n = 0; n < g.batch(); n++) {
      for (long i = 0; i < h.output(); i++) {
        for (long j = 0; j < w.output(); j++) {
          for (long a = 0; a < h.size(); a++) {
            for (long b = 0; b < w.size(); b++) {
              long y = i * h.stride() + a * h.dilation() - h.before();
              long x = j * w.stride() + b * w.dilation() - w.before();
              if (y < 0 || y >= h.input() || x < 0 || x >= w.input() || g.inChannels() == 0) {
                continue;
              }
              for (long o = 0; o < g.outChannels(); o++) {
                for (long c = 0; c < g.filterChannels(); c++) {
                  long channel = o / groupOutputs * g.filterChannels() + c;
                  term.accept(
                      BackendContract.at(
                          g.format(), h.input(), w.input(), g.inChannels(), n, y, x, channel),
                      (int) (((a * w.size() + b) * g.filterChannels() + c) * g.outChannels() + o),
                      BackendContract.at(
                          g.format(), h.output(), w.output(), g.outChannels(), n, i, j, o));
                }
              }
            }
          }
        }
      }
    }
  }

  private static List<ConvGeometry> geometries() {
    List<ConvGeometry> all = new ArrayList<>();
    for (ImageFormat format : ImageFormat.values()) {
      Window[][] windows = {
        {Window.of("VALID", 1, 1, 1, 1), Window.of("VALID", 1, 1, 1, 1)},
        {Window.of("SAME", 7, 3, 1, 1), Window.of("SAME", 5, 3, 1, 1)},
        {Window.of("SAME", 8, 3, 2, 1), Window.of("VALID", 9, 2, 3, 1)},
        {Window.of("VALID", 11, 3, 1, 2), Window.of("SAME", 6, 3, 1, 3)},
        {Window.of("EXPLICIT", 5, 3, 2, 2, 4, 1), Window.of("EXPLICIT", 6, 2, 1, 1, 0, 3)},
        {Window.of("SAME", 5, 1, 3, 1), Window.of("SAME", 4, 1, 2, 1)},
        {Window.of("EXPLICIT", 2, 2, 1, 1, 5, 5), Window.of("EXPLICIT", 3, 3, 4, 1, 7, 7)},
        {Window.of("VALID", 3, 5, 3, 1), Window.of("VALID", 5, 3, 1, 1)},
        {Window.of("VALID", 0, 1, 1, 1), Window.of("SAME", 4, 3, 1, 1)}
      };
      long[][] channels = {
        {1, 1, 1}, {3, 3, 5}, {9, 9, 4}, {6, 3, 8}, {5, 1, 5}, {4, 1, 12}, {2, 2, 70}
      };
      for (Window[] window : windows) {
        for (long[] c : channels) {
          all.add(new ConvGeometry(format, 2, c[0], c[1], c[2], window[0], window[1]));
        }
      }
      all.add(new ConvGeometry(format, 0, 3, 3, 4, windows[1][0], windows[1][1]));
      all.add(new ConvGeometry(format, 2, 0, 3, 4, windows[1][0], windows[1][1]));
      all.add(new ConvGeometry(format, 2, 3, 3, 0, windows[1][0], windows[1][1]));
      // Large enough for several tiles and for an inner dimension in parts.
      Window large = Window.of("SAME", 66, 3, 1, 1);
      all.add(new ConvGeometry(format, 2, 8, 8, 12, large, large));
    }
    return all;
  }
}
