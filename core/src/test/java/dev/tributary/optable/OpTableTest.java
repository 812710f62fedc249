package dev.tributary.optable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.PooledAllocator;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.ops.Ops;
import dev.tributary.testing.LiveTensors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every registered op against its row of the op table. */
class OpTableTest {
  private static final OpRegistry REGISTRY = Ops.registry();

  @Test
  void rows_allTogether_areOneForEachRegisteredOp() {
    List<String> registered =
        REGISTRY.all().stream()
            .map(OpDeclaration::name)
            .filter(name -> !name.startsWith("_"))
            .toList();
    List<String> rows = OpTable.rows().stream().map(OpRow::op).toList();

    assertThat(rows).as("rows").doesNotHaveDuplicates();
    assertThat(registered).as("ops without a row").filteredOn(op -> !rows.contains(op)).isEmpty();
    assertThat(rows).as("rows without an op").filteredOn(op -> !registered.contains(op)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> op_ofEachRow_passesItsChecks() {
    return OpTable.rows().stream()
        .filter(row -> REGISTRY.find(row.op()).isPresent())
        .map(row -> DynamicTest.dynamicTest(row.op(), () -> check(new OpChecks(REGISTRY, row))));
  }

  /**
   * A leak is looked for a second time with the allocator tracking, which is slow but tells the
   * places.
   */
  private static void check(OpChecks checks) {
    PooledAllocator allocator = Allocator.shared();
    LiveTensors before = LiveTensors.of(allocator);
    checks.all();
    try {
      before.requireNoMore();
    } catch (AssertionError leak) {
      allocator.track(true);
      try {
        LiveTensors tracked = LiveTensors.of(allocator);
        checks.all();
        tracked.requireNoMore();
      } finally {
        allocator.track(false);
      }
      throw leak;
    }
  }
}
