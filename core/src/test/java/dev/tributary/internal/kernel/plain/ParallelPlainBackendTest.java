package dev.tributary.internal.kernel.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.ChannelContract;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.ConvolutionContract;
import dev.tributary.internal.kernel.ElementWiseContract;
import dev.tributary.internal.kernel.EpilogueContract;
import dev.tributary.internal.kernel.GemmContract;
import dev.tributary.internal.kernel.ImageFormat;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.PoolingContract;
import dev.tributary.internal.kernel.SoftmaxContract;
import dev.tributary.internal.kernel.Window;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelPlainBackendTest
    implements GemmContract,
        EpilogueContract,
        ConvolutionContract,
        PoolingContract,
        SoftmaxContract,
        ChannelContract,
        ElementWiseContract {
  private final IntraopPool pool = new IntraopPool(3);
  private final Backend backend = new PlainBackend(pool);

  @AfterEach
  void stop() {
    pool.close();
  }

  @Override
  public Backend backend() {
    return backend;
  }

  @Test
  void filterGradient_anyNumberOfThreads_isTheSameToTheBit() {
    Window window = Window.of("SAME", 70, 3, 1, 1);
    for (long filterChannels : new long[] {1, 4}) {
      ConvGeometry g = new ConvGeometry(ImageFormat.NHWC, 3, 4, filterChannels, 8, window, window);
      try (Tensor x = tensor(DataType.FLOAT, random(1, g.inputElements()));
          Tensor dy = tensor(DataType.FLOAT, random(2, g.outputElements()));
          Tensor one = unwritten(DataType.FLOAT, g.filterElements());
          Tensor three = unwritten(DataType.FLOAT, g.filterElements())) {
        new PlainBackend(ParallelFor.INLINE)
            .convolutionFilterGradient(
                DataType.FLOAT,
                g,
                x.storage().address(),
                dy.storage().address(),
                one.storage().address());
        backend.convolutionFilterGradient(
            DataType.FLOAT,
            g,
            x.storage().address(),
            dy.storage().address(),
            three.storage().address());
        assertThat(three.toFloats()).isEqualTo(one.toFloats());
      }
    }
  }
}
