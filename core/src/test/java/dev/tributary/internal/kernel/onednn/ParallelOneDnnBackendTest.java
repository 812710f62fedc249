package dev.tributary.internal.kernel.onednn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.ChannelContract;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.ConvolutionContract;
import dev.tributary.internal.kernel.ElementWiseContract;
import dev.tributary.internal.kernel.EpilogueContract;
import dev.tributary.internal.kernel.GemmContract;
import dev.tributary.internal.kernel.ImageFormat;
import dev.tributary.internal.kernel.PoolingContract;
import dev.tributary.internal.kernel.SoftmaxContract;
import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.kernel.plain.IntraopPool;
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
