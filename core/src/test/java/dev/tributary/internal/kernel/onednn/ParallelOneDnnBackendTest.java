package dev.tributary.internal.kernel.onednn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.Affine;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.ChannelContract;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.ConvolutionContract;
import dev.tributary.internal.kernel.ElementWiseContract;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.EpilogueContract;
import dev.tributary.internal.kernel.GemmContract;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.ImageFormat;
import dev.tributary.internal.kernel.Moments;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.PoolingContract;
import dev.tributary.internal.kernel.SoftmaxContract;
import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.kernel.plain.IntraopPool;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelOneDnnBackendTest
    implements GemmContract,
        EpilogueContract,
        ConvolutionContract,
        PoolingContract,
        SoftmaxContract,
        ChannelContract,
        ElementWiseContract {
  private final IntraopPool pool = new IntraopPool(2);
  private final Backend backend = new OneDnnBackend(pool);

  @AfterEach
  void stop() {
    pool.close();
  }

  @Override
  public Backend backend() {
    return backend;
  }

  @Test
  void gemm_largeProducts_equalTheTripleLoop() {
    for (int[] size : new int[][] {{259, 513, 515}, {1030, 257, 260}}) {
      for (int flags = 0; flags < 8; flags++) {
        GemmGeometry plain =
            GemmGeometry.of(
                DataType.FLOAT, size[0], size[1], size[2], (flags & 1) != 0, (flags & 2) != 0);
        checkProduct((flags & 4) != 0 ? plain.accumulating() : plain);
      }
    }
  }

  private void checkProduct(GemmGeometry g) {
    double[] a = random(1, g.m() * g.k());
    double[] b = random(2, g.k() * g.n());
    double[] c = random(3, g.m() * g.n());
    try (Tensor ta = tensor(g.type(), a);
        Tensor tb = tensor(g.type(), b);
        Tensor tc = tensor(g.type(), c)) {
      backend.gemm(g, ta.storage().address(), tb.storage().address(), tc.storage().address());
      double[] wanted = GemmContract.product(g, a, 0, b, 0);
      for (int i = 0; g.accumulate() && i < wanted.length; i++) {
        wanted[i] += c[i];
      }
      assertClose(g.toString(), tc, wanted, g.k());
    }
  }

  @Test
  void gemm_largeBatch_multipliesEach() {
    GemmGeometry g = GemmGeometry.batched(DataType.FLOAT, 9, 200, 200, 190, false, true);
    double[] a = random(1, g.batch() * g.strideA());
    double[] b = random(2, g.batch() * g.strideB());
    try (Tensor ta = tensor(g.type(), a);
        Tensor tb = tensor(g.type(), b);
        Tensor tc = unwritten(g.type(), g.batch() * g.m() * g.n())) {
      backend.gemm(g, ta.storage().address(), tb.storage().address(), tc.storage().address());
      double[] wanted = new double[(int) tc.elementCount()];
      for (int i = 0; i < g.batch(); i++) {
        double[] one =
            GemmContract.product(g, a, (int) (i * g.strideA()), b, (int) (i * g.strideB()));
        System.arraycopy(one, 0, wanted, i * one.length, one.length);
      }
      assertClose(g.toString(), tc, wanted, g.k());
    }
  }

  @Test
  void gemm_largeProductsWithActivation_areFinished() {
    GemmGeometry g = GemmGeometry.of(DataType.FLOAT, 259, 513, 515, false, false);
    double[] a = random(1, g.m() * g.k());
    double[] b = random(2, g.k() * g.n());
    double[] bias = random(3, g.n());
    double[] sums = GemmContract.product(g, a, 0, b, 0);
    for (Activation activation : new Activation[] {Activation.RELU, Activation.RELU6}) {
      double most = activation == Activation.RELU6 ? 6 : Double.MAX_VALUE;
      double[] wanted = new double[sums.length];
      for (int i = 0; i < wanted.length; i++) {
        wanted[i] = Math.min(most, Math.max(0, sums[i] + bias[(int) (i % g.n())]));
      }
      try (Tensor ta = tensor(g.type(), a);
          Tensor tb = tensor(g.type(), b);
          Tensor tbias = tensor(g.type(), bias);
          Tensor tc = unwritten(g.type(), sums.length)) {
        backend.gemm(
            g,
            Epilogue.biasThen(activation),
            ta.storage().address(),
            tb.storage().address(),
            tbias.storage().address(),
            tc.storage().address());
        assertClose(g + " " + activation, tc, wanted, g.k());
      }
    }
  }

  @Test
  void normalizedConvolution_infiniteFactor_isTheDefinition() {
    Window window = Window.of("SAME", 5, 1, 1, 1);
    ConvGeometry g = new ConvGeometry(ImageFormat.NHWC, 2, 3, 3, 2, window, window);
    try (Tensor x = tensor(DataType.FLOAT, random(1, g.inputElements()));
        Tensor w = tensor(DataType.FLOAT, new double[] {1, 0, 0, 2, 3, 0});
        Tensor ones = tensor(DataType.FLOAT, new double[] {1, 1});
        Tensor variances = tensor(DataType.FLOAT, new double[] {0, 1});
        Tensor wanted = unwritten(DataType.FLOAT, g.outputElements());
        Tensor y = unwritten(DataType.FLOAT, g.outputElements())) {
      Affine affine = new Affine(ones.storage().address(), ones.storage().address());
      Moments moments = new Moments(ones.storage().address(), variances.storage().address());
      for (Backend each : List.of(backend, new PlainBackend(ParallelFor.INLINE))) {
        each.normalizedConvolution(
            g,
            0,
            Activation.NONE,
            x.storage().address(),
            w.storage().address(),
            affine,
            moments,
            (each == backend ? y : wanted).storage().address());
      }
      assertThat(y.toFloats()).isEqualTo(wanted.toFloats());
      assertThat(y.toFloats()[0]).isInfinite();
    }
  }

  @Test
  void convolution_manyThreadsAtOnce_eachGetsItsOwnResult() throws Exception {
    Window window = Window.of("SAME", 12, 3, 1, 1);
    ConvGeometry g = new ConvGeometry(ImageFormat.NHWC, 2, 8, 8, 16, window, window);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        int seed = i % 4;
        results.add(threads.submit(() -> sameEachTime(g, seed)));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
    } finally {
      threads.shutdown();
    }
  }

  private boolean sameEachTime(ConvGeometry g, int seed) {
    try (Tensor x = tensor(DataType.FLOAT, random(seed, g.inputElements()));
        Tensor w = tensor(DataType.FLOAT, random(seed + 100, g.filterElements()));
        Tensor wanted = unwritten(DataType.FLOAT, g.outputElements());
        Tensor y = unwritten(DataType.FLOAT, g.outputElements())) {
      backend.convolution(
          DataType.FLOAT,
          g,
          x.storage().address(),
          w.storage().address(),
          wanted.storage().address());
      for (int i = 0; i < 10; i++) {
        backend.convolution(
            DataType.FLOAT, g, x.storage().address(), w.storage().address(), y.storage().address());
        if (!Arrays.equals(y.toFloats(), wanted.toFloats())) {
          return false;
        }
      }
      return true;
    }
  }
}
