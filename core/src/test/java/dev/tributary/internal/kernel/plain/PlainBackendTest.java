package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.ChannelContract;
import dev.tributary.internal.kernel.ConvolutionContract;
import dev.tributary.internal.kernel.ElementWiseContract;
import dev.tributary.internal.kernel.EpilogueContract;
import dev.tributary.internal.kernel.GemmContract;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.PoolingContract;
import dev.tributary.internal.kernel.SoftmaxContract;

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
