package dev.tributary.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Products and convolutions with an epilogue, against the same without one and what follows. */
public interface EpilogueContract extends BackendContract {
  @Test
  default void gemm_anyEpilogue_equalsBiasAndActivationBehind() {
    long[][] sizes = {
      {1, 1, 1, 1},
      {1, 7, 5, 3},
      {1, 65, 33, 17},
      {3, 70, 20, 40},
      {2, 4, 0, 3},
      {0, 2, 3, 4},
      {1, 3, 4, 0},
      {1, 100, 100, 100}
    };
    for (DataType type : REALS) {
      for (long[] s : sizes) {
        for (int flags = 0; flags < 4; flags++) {
          GemmGeometry g =
              GemmGeometry.batched(
                  type, s[0], s[1], s[2], s[3], (flags & 1) != 0, (flags & 2) != 0);
          for (Activation activation : Activation.values()) {
            for (boolean bias : new boolean[] {false, true}) {
              checkGemm(g, new Epilogue(bias, activation));
            }
          }
        }
      }
    }
  }

  private void checkGemm(GemmGeometry g, Epilogue epilogue) {
    try (Tensor a = tensor(g.type(), random(1, g.batch() * g.m() * g.k()));
        Tensor b = tensor(g.type(), random(2, g.batch() * g.k() * g.n()));
        Tensor bias = tensor(g.type(), biases(g.n()));
        Tensor plain = unwritten(g.type(), g.batch() * g.m() * g.n());
        Tensor c = unwritten(g.type(), g.batch() * g.m() * g.n())) {
      backend().gemm(g, a.storage().address(), b.storage().address(), plain.storage().address());
      backend()
          .gemm(
              g,
              epilogue,
              a.storage().address(),
              b.storage().address(),
              bias.storage().address(),
              c.storage().address());
      ChannelGeometry columns = new ChannelGeometry(g.batch() * g.m(), g.n(), 1);
      assertClose(g + " " + epilogue, c, finished(columns, epilogue, plain, bias), g.k());
    }
  }

  @Test
  default void convolution_anyEpilogue_equalsBiasAndActivationBehind() {
    Window same = Window.of("SAME", 9, 3, 1, 1);
    Window strided = Window.of("VALID", 8, 2, 2, 1);
    long[][] channels = {{3, 3, 5}, {8, 4, 16}, {4, 1, 8}, {2, 2, 0}, {0, 2, 2}, {16, 16, 32}};
    for (DataType type : REALS) {
      for (ImageFormat format : ImageFormat.values()) {
        for (long[] c : channels) {
          for (Activation activation : Activation.values()) {
            ConvGeometry g = new ConvGeometry(format, 2, c[0], c[1], c[2], same, strided);
            checkConvolution(type, g, new Epilogue(false, activation));
            checkConvolution(type, g, new Epilogue(true, activation));
          }
        }
      }
    }
  }

  /** So large that a backend may take some images at a time. */
  @Test
  default void convolution_manyPixels_equalsBiasAndActivationBehind() {
    Window rows = Window.of("SAME", 40, 3, 1, 1);
    Window columns = Window.of("SAME", 60, 3, 2, 1);
    for (ImageFormat format : ImageFormat.values()) {
      for (long[] c : new long[][] {{3, 3, 40}, {16, 1, 16}}) {
        ConvGeometry g = new ConvGeometry(format, 7, c[0], c[1], c[2], rows, columns);
        checkConvolution(DataType.FLOAT, g, new Epilogue(true, Activation.RELU));
        checkConvolution(DataType.FLOAT, g, new Epilogue(false, Activation.RELU6));
      }
    }
  }

  private void checkConvolution(DataType type, ConvGeometry g, Epilogue epilogue) {
    try (Tensor x = tensor(type, random(1, g.inputElements()));
        Tensor w = tensor(type, random(2, g.filterElements()));
        Tensor bias = tensor(type, biases(g.outChannels()));
        Tensor plain = unwritten(type, g.outputElements());
        Tensor y = unwritten(type, g.outputElements())) {
      long pixels = g.height().output() * g.width().output();
      backend()
          .convolution(
              type, g, x.storage().address(), w.storage().address(), plain.storage().address());
      backend()
          .convolution(
              type,
              g,
              epilogue,
              x.storage().address(),
              w.storage().address(),
              bias.storage().address(),
              y.storage().address());
      ChannelGeometry layout = ChannelGeometry.of(g.format(), g.batch(), pixels, g.outChannels());
      assertClose(g + " " + epilogue, y, finished(layout, epilogue, plain, bias));
    }
  }

  @Test
  default void normalizedConvolution_anyActivation_equalsTheThreeInTurn() {
    Window same = Window.of("SAME", 9, 3, 1, 1);
    Window strided = Window.of("VALID", 8, 2, 2, 1);
    for (ImageFormat format : ImageFormat.values()) {
      for (Activation activation : Activation.values()) {
        for (long[] c : new long[][] {{3, 3, 5}, {4, 1, 8}, {0, 2, 2}, {16, 16, 32}}) {
          ConvGeometry g = new ConvGeometry(format, 2, c[0], c[1], c[2], same, strided);
          checkNormalized(g, activation, random(1, g.inputElements()));
        }
        ConvGeometry depthwise = ConvGeometry.depthwise(format, 2, 17, 1, same, strided);
        double[] values = random(1, depthwise.inputElements());
        values[5] = Double.NaN;
        checkNormalized(depthwise, activation, values);
        checkNormalized(
            ConvGeometry.depthwise(format, 2, 16, 1, same, same), activation, values(16 * 162));
      }
    }
  }

  /** Images so large that each is a part of its own for those who cut. */
  @Test
  default void normalizedConvolution_largeImages_equalsTheThreeInTurn() {
    Window window = Window.of("SAME", 64, 1, 1, 1);
    for (ImageFormat format : ImageFormat.values()) {
      ConvGeometry g = new ConvGeometry(format, 3, 5, 5, 40, window, window);
      checkNormalized(g, Activation.RELU6, values((int) g.inputElements()));
      checkNormalized(g, Activation.RELU, random(1, g.inputElements()));
    }
  }

  private double[] values(int count) {
    double[] values = random(1, count);
    values[count / 2] = Double.NaN;
    values[0] = Double.NEGATIVE_INFINITY;
    return values;
  }

  private void checkNormalized(ConvGeometry g, Activation activation, double... image) {
    DataType type = DataType.FLOAT;
    float epsilon = 0.01f;
    long channels = g.outChannels();
    double[] variances = random(5, channels);
    for (int i = 0; i < variances.length; i++) {
      variances[i] = Math.abs(variances[i]);
    }
    try (Tensor x = tensor(type, image);
        Tensor w = tensor(type, random(2, g.filterElements()));
        Tensor scale = tensor(type, random(3, channels));
        Tensor offset = tensor(type, biases(channels));
        Tensor mean = tensor(type, random(4, channels));
        Tensor variance = tensor(type, variances);
        Tensor plain = unwritten(type, g.outputElements());
        Tensor normal = unwritten(type, g.outputElements());
        Tensor y = unwritten(type, g.outputElements())) {
      long pixels = g.height().output() * g.width().output();
      ChannelGeometry layout = ChannelGeometry.of(g.format(), g.batch(), pixels, channels);
      Affine affine = new Affine(scale.storage().address(), offset.storage().address());
      Moments moments = new Moments(mean.storage().address(), variance.storage().address());
      backend()
          .convolution(
              type, g, x.storage().address(), w.storage().address(), plain.storage().address());
      backend()
          .batchNormInference(
              layout,
              epsilon,
              plain.storage().address(),
              affine,
              moments,
              normal.storage().address());
      backend()
          .normalizedConvolution(
              g,
              epsilon,
              activation,
              x.storage().address(),
              w.storage().address(),
              affine,
              moments,
              y.storage().address());
      Epilogue epilogue = new Epilogue(false, activation);
      assertClose(g + " " + epilogue, y, finished(layout, epilogue, normal, offset));
    }
  }

  /** A product that went wrong must be seen behind the activation. */
  @Test
  default void gemm_activationOfNaN_isNaN() {
    GemmGeometry g = GemmGeometry.of(DataType.FLOAT, 40, 40, 40, false, false);
    double[] values = random(1, 1600);
    values[41] = Double.NaN;
    for (Activation activation : Activation.values()) {
      try (Tensor a = tensor(DataType.FLOAT, values);
          Tensor b = tensor(DataType.FLOAT, random(2, 1600));
          Tensor bias = tensor(DataType.FLOAT, biases(40));
          Tensor c = unwritten(DataType.FLOAT, 1600)) {
        Epilogue epilogue = Epilogue.biasThen(activation);
        backend()
            .gemm(
                g,
                epilogue,
                a.storage().address(),
                b.storage().address(),
                bias.storage().address(),
                c.storage().address());
        float[] result = c.toFloats();
        for (int i = 0; i < result.length; i++) {
          assertThat(Float.isNaN(result[i])).as("%s [%d]", activation, i).isEqualTo(i / 40 == 1);
        }
      }
    }
  }

  @Test
  default void convolution_activationOfNaN_isNaN() {
    Window all = Window.of("VALID", 6, 1, 1, 1);
    for (ImageFormat format : ImageFormat.values()) {
      ConvGeometry g = new ConvGeometry(format, 2, 8, 8, 16, all, all);
      double[] values = random(1, g.inputElements());
      values[0] = Double.NaN;
      values[values.length - 1] = Double.NaN;
      for (Activation activation : Activation.values()) {
        try (Tensor x = tensor(DataType.FLOAT, values);
            Tensor w = tensor(DataType.FLOAT, random(2, g.filterElements()));
            Tensor bias = tensor(DataType.FLOAT, biases(16));
            Tensor y = unwritten(DataType.FLOAT, g.outputElements())) {
          Epilogue epilogue = Epilogue.biasThen(activation);
          backend()
              .convolution(
                  DataType.FLOAT,
                  g,
                  epilogue,
                  x.storage().address(),
                  w.storage().address(),
                  bias.storage().address(),
                  y.storage().address());
          long lost = 0;
          for (float value : y.toFloats()) {
            lost += Float.isNaN(value) ? 1 : 0;
          }
          assertThat(lost).as("%s %s", format, activation).isEqualTo(2 * 16);
        }
      }
    }
  }

  @Test
  default void gemm_accumulatingWithEpilogue_isInvalidArgument() {
    GemmGeometry g = GemmGeometry.of(DataType.FLOAT, 1, 1, 1, false, false).accumulating();
    assertThatThrownBy(() -> backend().gemm(g, Epilogue.BIAS, 0, 0, 0, 0))
        .hasMessageContaining("accumulate")
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  /** Large enough for values beyond 6 and far below 0. */
  private double[] biases(long count) {
    double[] values = random(3, count);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (values[i] * 8);
    }
    return values;
  }

  private double[] finished(ChannelGeometry g, Epilogue epilogue, Tensor plain, Tensor bias) {
    double[] result = values(plain);
    double[] biases = values(bias);
    for (int i = 0; i < result.length; i++) {
      double x = result[i] + (epilogue.bias() ? biases[(int) (i / g.inner() % g.channels())] : 0);
      result[i] =
          switch (epilogue.activation()) {
            case NONE -> x;
            case RELU -> Math.max(0, x);
            case RELU6 -> Math.min(6, Math.max(0, x));
            case ELU -> x < 0 ? Math.exp(x) - 1 : x;
            case TANH -> Math.tanh(x);
          };
    }
    return result;
  }
}
