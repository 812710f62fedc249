package dev.tributary.internal.memory;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Counts the memory of one task or session against a limit. Whoever takes memory reserves it first
 * and releases it when it is given back; what does not fit is RESOURCE_EXHAUSTED, with the names of
 * those that hold most. Safe for use by many threads.
 */
public final class MemoryBudget {
  private static final long LARGE = 1 << 16;

  /** Sums of two such do not overflow. */
  private static final long LARGEST = Long.MAX_VALUE / 2;

  /** One that everything fits into, for those who are not limited. */
  public static final MemoryBudget UNLIMITED = new MemoryBudget(Long.MAX_VALUE, "nothing");

  private final long limit;
  private final String setting;
  private final AtomicLong used = new AtomicLong();
  private final List<Supplier<List<MemoryHolder>>> lists = new CopyOnWriteArrayList<>();

  /**
   * @param setting what errors say sets the limit
   */
  public MemoryBudget(long limit, String setting) {
    this.limit = Math.min(limit, LARGEST);
    this.setting = setting;
  }

  public long limit() {
    return limit;
  }

  String setting() {
    return setting;
  }

  public long used() {
    return used.get();
  }

  /**
   * Takes this much, or fails and takes nothing.
   *
   * @param what errors call it
   */
  public void reserve(long bytes, String what) {
    if (!tryReserve(bytes)) {
      throw exhausted(bytes, what);
    }
  }

  /** Takes this much if it fits. */
  public boolean tryReserve(long bytes) {
    // A large one that does not fit must not keep others out for a moment.
    if (bytes > LARGE && bytes > limit - used.get()) {
      return false;
    }
    if (used.addAndGet(bytes) > limit) {
      used.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  public void release(long bytes) {
    used.addAndGet(-bytes);
  }

  /**
   * An account for memory that is not a tensor of the budget's allocator.
   *
   * @param kind in the plural, for errors
   * @param most the limit of this kind
   */
  public MemoryAccount account(String kind, long most) {
    MemoryAccount account = new MemoryAccount(this, kind, most, false);
    describe(account);
    return account;
  }

  /**
   * An account for a part of the tensors that are reserved already: it tells what they are, and
   * keeps the limit of this kind.
   */
  public MemoryAccount accountOfTensors(String kind, long most) {
    MemoryAccount account = new MemoryAccount(this, kind, most, true);
    describe(account);
    return account;
  }

  /**
   * Adds somebody who lists holders when there is an error, on the thread that has it: without
   * waiting for a lock.
   */
  public void describe(Supplier<List<MemoryHolder>> holders) {
    if (this != UNLIMITED) { // It never has an error, and lives for ever.
      lists.add(holders);
    }
  }

  /** Asks one no more that {@link #describe} was given. */
  public void forget(Supplier<List<MemoryHolder>> holders) {
    lists.remove(holders);
  }

  /** Describes the present holders and the bytes of each. */
  public String holders() {
    List<MemoryHolder> holders = new ArrayList<>();
    lists.forEach(list -> holders.addAll(list.get()));
    return MemoryHolders.text(holders, used.get());
  }

  /**
   * The error of somebody for whom nothing is left.
   *
   * @param what errors call what was wanted
   */
  public TributaryException exhausted(long bytes, String what) {
    return new TributaryException(
        ErrorCode.RESOURCE_EXHAUSTED,
        String.format(
            "%s of %d bytes is more than is left: %d of at most %d bytes are in use, by %s; %s"
                + " sets this",
            what, bytes, used.get(), limit, holders(), setting));
  }
}
