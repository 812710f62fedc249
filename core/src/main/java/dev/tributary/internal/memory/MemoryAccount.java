package dev.tributary.internal.memory;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The part of a budget that goes to one kind of use, with a limit of its own. Safe for use by many
 * threads.
 */
public final class MemoryAccount implements Supplier<List<MemoryHolder>> {
  private final MemoryBudget budget;
  private final String kind;
  private final long most;
  private final boolean isOfTensors;
  private final AtomicLong held = new AtomicLong();

  /**
   * @param isOfTensors whether the budget has counted everything already, as an allocator's
   */
  MemoryAccount(MemoryBudget budget, String kind, long most, boolean isOfTensors) {
    this.budget = budget;
    this.kind = kind;
    this.isOfTensors = isOfTensors;
    this.most = Math.min(most, budget.limit());
  }

  /** Takes this much, or fails and takes nothing. */
  public void reserve(long bytes) {
    if (!tryReserve(bytes)) {
      throw bytes > most - held.get() && most < budget.limit()
          ? exhausted(bytes)
          : budget.exhausted(bytes, "memory for " + kind);
    }
  }

  private TributaryException exhausted(long bytes) {
    return new TributaryException(
        ErrorCode.RESOURCE_EXHAUSTED,
        String.format(
            "%d bytes more of %s do not fit: %d of at most %d bytes are there; it is a part of what"
                + " %s sets",
            bytes, kind, held.get(), most, budget.setting()));
  }

  /** Takes this much if it fits. */
  public boolean tryReserve(long bytes) {
    if (!hold(bytes)) {
      return false;
    }
    if (!isOfTensors && !budget.tryReserve(bytes)) {
      held.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  public void release(long bytes) {
    held.addAndGet(-bytes);
    if (!isOfTensors) {
      budget.release(bytes);
    }
  }

  public long held() {
    return held.get();
  }

  @Override
  public List<MemoryHolder> get() {
    return List.of(new MemoryHolder(kind, "", held.get()));
  }

  private boolean hold(long bytes) {
    if (bytes > most - held.get()) {
      return false;
    }
    if (held.addAndGet(bytes) > most) {
      held.addAndGet(-bytes);
      return false;
    }
    return true;
  }
}
