package dev.tributary.cluster.internal.protocol;

import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.LimitedAllocator;
import dev.tributary.internal.memory.MemoryAccount;
import dev.tributary.internal.memory.MemoryBudget;

/**
 * The memory of a task or a client: where the tensors go that it computes, is fed and receives, and
 * the accounts of what else it has to hold for others. Safe for use by many threads.
 *
 * @param allocator makes tensors
 * @param messages counts messages while they come in
 * @param sharedMemory counts memory by which tensors go to other processes; there is another way if
 *     it is full
 * @param constants counts the constants of sessions' graphs
 */
public record TaskMemory(
    Allocator allocator,
    MemoryAccount messages,
    MemoryAccount sharedMemory,
    MemoryAccount constants) {
  /** A message and the tensors that it becomes are there at the same time. */
  private static final int MESSAGES_PART = 2;

  /**
   * The part of the virtual machine's direct memory, which is as large as its heap, that messages
   * may take: a connection for whose buffers nothing is left breaks.
   */
  private static final double DIRECT_PART = 0.75;

  private static final int SHARED_PART = 4;

  /** For clients, whose callers are programs of the same process. */
  public static TaskMemory unlimited() {
    return of(Allocator.shared());
  }

  /**
   * For a server.
   *
   * @param bytes the limit on all that it has to hold at once
   */
  public static TaskMemory limited(long bytes) {
    return of(
        new LimitedAllocator(
            Allocator.shared(),
            new MemoryBudget(bytes, "the server's Limits.memoryBytes (--max-memory-bytes)")));
  }

  private static TaskMemory of(Allocator allocator) {
    MemoryBudget budget = allocator.budget();
    long direct = (long) (DIRECT_PART * Runtime.getRuntime().maxMemory());
    return new TaskMemory(
        allocator,
        budget.account("messages", Math.min(budget.limit() / MESSAGES_PART, direct)),
        budget.account("shared memory", budget.limit() / SHARED_PART),
        budget.account("constants", budget.limit()));
  }

  public MemoryBudget budget() {
    return allocator.budget();
  }
}
