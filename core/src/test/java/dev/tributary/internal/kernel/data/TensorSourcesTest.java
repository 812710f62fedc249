package dev.tributary.internal.kernel.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.LimitedAllocator;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.memory.PooledAllocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TensorSourcesTest {
  private final LimitedAllocator nothing =
      new LimitedAllocator(new PooledAllocator(0, true), new MemoryBudget(1, "a test"));

  /** A stage that works ahead has nobody to whom a thrown failure could go. */
  @Test
  void range_noMemoryForANumber_answersWithTheFailure() {
    List<RuntimeException> failures = new ArrayList<>();

    TensorSources.range(nothing, DataType.INT64, 0, 10, 1)
        .next(
            new ElementReceiver() {
              @Override
              public void element(Tensor[] components) {
                Elements.close(components);
              }

              @Override
              public void end() {}

              @Override
              public void failure(RuntimeException failure) {
                failures.add(failure);
              }
            });

    assertThat(failures).hasSize(1);
    assertThat(((TributaryException) failures.get(0)).code())
        .isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
  }
}
