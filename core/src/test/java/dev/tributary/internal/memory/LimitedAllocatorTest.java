package dev.tributary.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitedAllocatorTest {
  private final PooledAllocator source = new PooledAllocator(0, true);
  private final LimitedAllocator limited =
      new LimitedAllocator(source, new MemoryBudget(1 << 20, "a test"));

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
  void allocate_memoryElsewhereFillsTheBudget_isRefusedAndNamesWho() {
    MemoryAccount messages = limited.budget().account("messages", Long.MAX_VALUE);
    messages.reserve(700_000);
    limited.budget().describe(() -> List.of(new MemoryHolder("queues", "q", 80_000)));
    Tensor value = Tensor.allocate(limited, DataType.UINT8, Shape.of(98_304));

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> Tensor.allocate(limited, DataType.FLOAT, Shape.of(100_000)))
        .withMessageContaining("798304 of at most 1048576 bytes are in use")
        .withMessageContaining(
            "by messages 683.6 KiB, queues 78.1 KiB (the largest is 'q' with 78.1 KiB), values of"
                + " steps 17.9 KiB; a test sets this");

    value.close();
    messages.release(700_000);
    assertThat(limited.budget().used()).isZero();
  }

  @Test
  void account_beyondItsOwnLimit_isRefused() {
    MemoryAccount some = limited.budget().account("constants", 1000);
    some.reserve(600);

    assertThat(some.tryReserve(500)).isFalse();
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> some.reserve(500))
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED)
        .withMessageContaining("500 bytes more of constants do not fit");
    assertThat(limited.budget().used()).isEqualTo(600);
  }

  @Test
  void recycle_manySizes_keepsNoMoreFreeBlocksThanAPartOfTheLimit() {
    PooledAllocator pool = new PooledAllocator(Long.MAX_VALUE, false);
    LimitedAllocator few = new LimitedAllocator(pool, new MemoryBudget(1 << 20, "a test"));
    for (int bytes = 1 << 10; bytes < 1 << 20; bytes += 1 << 14) {
      few.allocate(bytes).release();
    }

    assertThat(pool.stats().cachedBytes()).isBetween(1L, (1L << 20) / 4);
    pool.trim();
  }

  @Test
  void allocate_sizeThatOverflows_isRefused() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> limited.allocate(Long.MAX_VALUE))
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED);
  }
}
