package dev.tributary.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;

class LimitedAllocatorTest {
  private final PooledAllocator source = new PooledAllocator(0, true);
  private final LimitedAllocator limited = new LimitedAllocator(source, 1 << 20);

  @Test
  void allocate_moreThanIsLeft_isRefusedUntilSomeComesBack() {
    Tensor most = Tensor.allocate(limited, DataType.FLOAT, Shape.of(200_000));

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> Tensor.allocate(limited, DataType.FLOAT, Shape.of(100_000)))
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED)
        .withMessageContaining("a tensor of 400000 bytes")
        .withMessageContaining("at most 1048576 bytes");

    most.close();
    Tensor.allocate(limited, DataType.FLOAT, Shape.of(100_000)).close();
  }

  @Test
  void recycle_allTensors_giveTheSourceItsBlocksBack() {
    for (int i = 0; i < 100; i++) {
      Tensor.allocate(limited, DataType.FLOAT, Shape.of(200_000)).close();
    }

    assertThat(source.stats().liveBytes()).isZero();
    assertThat(source.live()).isEmpty();
  }

  @Test
  void allocate_sizeThatOverflows_isRefused() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> limited.allocate(Long.MAX_VALUE))
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED);
  }
}
