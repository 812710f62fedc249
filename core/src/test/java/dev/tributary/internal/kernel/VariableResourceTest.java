package dev.tributary.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class VariableResourceTest {
  private static final int THREADS = 8;

  @Test
  void writable_nobodyReads_changesInPlace() {
    try (VariableResource variable = new VariableResource("v", DataType.FLOAT)) {
      variable.assign(Tensor.of(1f, 2f));
      long before = addressOf(variable);

      try (VariableResource.Locked locked = VariableResource.lock(variable)) {
        Memory.putFloat(locked.writable(variable, Allocator.shared()).storage().address(), 5f);
      }

      assertThat(addressOf(variable)).isEqualTo(before);
    }
  }

  @Test
  void writable_readerHoldsValue_leavesItAsItWas() {
    try (VariableResource variable = new VariableResource("v", DataType.FLOAT)) {
      variable.assign(Tensor.of(1f, 2f));

      try (Tensor held = variable.read();
          VariableResource.Locked locked = VariableResource.lock(variable)) {
        Memory.putFloat(locked.writable(variable, Allocator.shared()).storage().address(), 5f);

        assertThat(held.toFloats()).containsExactly(1f, 2f);
        assertThat(locked.value(variable).toFloats()).containsExactly(5f, 2f);
      }
    }
  }

  @Test
  void read_uninitialized_failsWithItsName() {
    VariableResource variable = new VariableResource("weights", DataType.FLOAT);

    assertThatThrownBy(variable::read)
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("Attempting to use uninitialized value weights");
    assertThat(variable.readIfInitialized()).isEmpty();
  }

  @Test
  void lock_manyThreadsInAnyOrder_changesBothTogether() throws Exception {
    try (VariableResource a = new VariableResource("a", DataType.INT64);
        VariableResource b = new VariableResource("b", DataType.INT64)) {
      a.assign(Tensor.of(0L));
      b.assign(Tensor.of(0L));
      ExecutorService pool = Executors.newFixedThreadPool(THREADS);
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        boolean aFirst = t % 2 == 0;
        done.add(pool.submit(() -> addToBoth(aFirst ? a : b, aFirst ? b : a, 500)));
      }
      for (Future<?> future : done) {
        future.get();
      }
      pool.shutdown();

      try (Tensor last = a.read()) {
        assertThat(last.getLong(0)).isEqualTo(500L * THREADS);
      }
    }
  }

  private static void addToBoth(VariableResource first, VariableResource second, int times) {
    for (int i = 0; i < times; i++) {
      try (VariableResource.Locked locked = VariableResource.lock(first, second)) {
        assertThat(locked.value(first).getLong(0)).isEqualTo(locked.value(second).getLong(0));
        for (VariableResource variable : List.of(first, second)) {
          long address = locked.writable(variable, Allocator.shared()).storage().address();
          Memory.putLong(address, Memory.getLong(address) + 1);
        }
      }
      first.read().close();
    }
  }

  private static long addressOf(VariableResource variable) {
    try (Tensor value = variable.read()) {
      return value.storage().address();
    }
  }
}
