package dev.tributary.kernel.plain;

import dev.tributary.kernel.Backend;
import dev.tributary.kernel.ChannelContract;
import dev.tributary.kernel.ConvolutionContract;
import dev.tributary.kernel.ElementWiseContract;
import dev.tributary.kernel.EpilogueContract;
import dev.tributary.kernel.GemmContract;
import dev.tributary.kernel.ParallelFor;
import dev.tributary.kernel.PoolingContract;
import dev.tributary.kernel.SoftmaxContract;

class PlainBackendTest
    implements GemmContract,
        EpilogueContract,
        ConvolutionContract,
        PoolingContract,
        SoftmaxContract,
        ChannelContract,
        ElementWiseContract {
  private final Backend backend = new PlainBackend(ParallelFor.INLINE);

  @Override
  public Backend backend() {
    return backend;
  }
}
