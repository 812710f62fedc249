package dev.tributary.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import dev.tributary.internal.memory.Memory;
import dev.tributary.testing.NoLeaks;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflow.ndarray.FloatNdArray;

/**
 * Tensors past the 2^31 bytes where int arithmetic ends. Only their ends are touched, so they take
 * little real memory.
 */
@NoLeaks
class LargeTensorTest {
  private static final long ROWS = 550_000_001L;

  @BeforeAll
  static void requireMemory() {
    long machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    assumeTrue(
        machine >= 4L << 30,
        "a tensor of 2.2 GB needs a machine with 4 GiB; this one has " + machine + " bytes");
  }

  @Test
  void tensor_pastTwoGibibytes_holdsBothEnds() {
    try (Tensor tensor = Tensor.allocate(DataType.FLOAT, Shape.of(ROWS))) {
      Memory.putFloat(tensor.storage().address(), 1.5f);
      Memory.putFloat(tensor.storage().address() + 4 * (ROWS - 1), 2.5f);

      assertThat(tensor.byteSize()).isEqualTo(2_200_000_004L);
      assertThat(tensor.getFloat(0)).isEqualTo(1.5f);
      assertThat(tensor.getFloat(ROWS - 1)).isEqualTo(2.5f);
      assertThatThrownBy(tensor::toBytes).hasMessageContaining("too large for one array");
    }
  }

  @Test
  void view_pastTwoGibibytes_readsBothEnds() {
    try (Tensor tensor = Tensor.allocate(DataType.FLOAT, Shape.of(ROWS, 1))) {
      Memory.putFloat(tensor.storage().address(), 1.5f);
      Memory.putFloat(tensor.storage().address() + 4 * (ROWS - 1), 2.5f);
      FloatNdArray view = TensorViews.floats(tensor);

      assertThat(view.size()).isEqualTo(ROWS);
      assertThat(view.getFloat(0, 0)).isEqualTo(1.5f);
      assertThat(view.getFloat(ROWS - 1, 0)).isEqualTo(2.5f);
    }
  }
}
