package dev.tributary.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.internal.memory.PooledAllocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
  private final PooledAllocator allocator = new PooledAllocator(1 << 20, true);

  @Test
  void liveTensors_oneLeftOpen_failsWithItsSite() {
    try (Tensor before = tensor()) {
      LiveTensors live = LiveTensors.of(allocator);
      try (Tensor leaked = tensor()) {
        assertThatThrownBy(live::requireNoMore)
            .isInstanceOf(AssertionError.class)
            .hasMessageContaining("1 tensors were not closed")
            .hasMessageContaining("oneLeftOpen_failsWithItsSite")
            .hasMessageContaining("allocated 32 bytes here");
      }
    }
  }

  @Test
  void liveTensors_allClosed_passes() {
    LiveTensors live = LiveTensors.of(allocator);
    tensor().close();

    assertThatCode(live::requireNoMore).doesNotThrowAnyException();
  }

  @Test
  void liveTensors_closedByAnotherThreadSoonAfter_passes() throws InterruptedException {
    LiveTensors live = LiveTensors.of(allocator);
    Tensor late = tensor();
    Thread closer = new Thread(late::close, "late-closer");
    closer.start();

    assertThatCode(live::requireNoMore).doesNotThrowAnyException();
    closer.join();
  }

  private Tensor tensor() {
    return Tensor.allocate(allocator, DataType.FLOAT, Shape.of(8));
  }
}
