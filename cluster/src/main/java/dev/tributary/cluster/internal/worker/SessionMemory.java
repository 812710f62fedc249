package dev.tributary.cluster.internal.worker;

import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.memory.MemoryAccount;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.memory.MemoryHolder;
import java.util.List;
import java.util.function.Supplier;

/**
 * The memory that a worker's session holds between steps, counted by its budget. Safe for use by
 * many threads.
 *
 * @param constants those of its registered graphs
 * @param unclaimed values that came for steps which have not begun here
 * @param resources who has memory in its own containers, if it has any
 */
record SessionMemory(
    MemoryBudget budget,
    MemoryAccount constants,
    MemoryAccount unclaimed,
    List<Supplier<List<MemoryHolder>>> resources)
    implements AutoCloseable {
  /** The part of the limit that unclaimed values of one session may take. */
  private static final int UNCLAIMED_PART = 4;

  /**
   * @param own the containers that no other session sees
   */
  static SessionMemory of(MemoryBudget budget, List<ResourceContainers> own) {
    SessionMemory memory =
        new SessionMemory(
            budget,
            budget.account("constants", budget.limit()),
            budget.accountOfTensors("unclaimed values", budget.limit() / UNCLAIMED_PART),
            own.stream().<Supplier<List<MemoryHolder>>>map(c -> c::holders).toList());
    memory.resources.forEach(budget::describe);
    return memory;
  }

  /** Errors name it no more. */
  @Override
  public void close() {
    budget.forget(constants);
    budget.forget(unclaimed);
    resources.forEach(budget::forget);
  }
}
