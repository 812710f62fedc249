package dev.tributary.internal.step;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The bounded cache of the steps that a session has ready. Each is prepared once, however many
 * threads ask for it at the same time. When the cache is full, the step that was used longest ago
 * is dropped, and discarded as soon as nobody uses it. A step that cannot be prepared is not kept.
 * Guarded by its own monitor, under which nothing is prepared or discarded.
 *
 * @param <K> what tells steps apart; it ignores the order of feeds
 * @param <S> a step that is ready to run
 */
public final class PreparedSteps<K, S> implements AutoCloseable {
  /**
   * A place in the cache. The monitor of the cache guards the number of its users.
   *
   * @param <S> a step that is ready to run
   */
  public static final class PreparedStep<S> {
    private final Object key;
    private final CompletableFuture<S> step = new CompletableFuture<>();
    private int users;

    private PreparedStep(Object key) {
      this.key = key;
    }

    /** Done when the step is ready, or failed as its preparation did. */
    public CompletableFuture<S> step() {
      return step;
    }

    /** Waits for the step; fails as its preparation did. */
    public S await() {
      try {
        return step.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException failure ? failure : e;
      }
    }

    /** Returns whether the step is ready. */
    public boolean isReady() {
      return step.isDone() && !step.isCompletedExceptionally();
    }
  }

  @GuardedBy("this")
  private final Map<K, PreparedStep<S>> steps = new LinkedHashMap<>(16, 0.75f, true);

  /** Steps that were dropped from the cache while somebody used them. */
  @GuardedBy("this")
  private final Set<PreparedStep<S>> dropped = new HashSet<>();

  private final int most;
  private final Function<K, CompletableFuture<S>> prepare;
  private final Consumer<S> discard;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param most the number of steps that are kept even though nobody uses them
   * @param prepare prepares a step, on the calling thread or elsewhere
   * @param discard gives back what a step holds
   */
  public PreparedSteps(int most, Function<K, CompletableFuture<S>> prepare, Consumer<S> discard) {
    this.most = most;
    this.prepare = prepare;
    this.discard = discard;
  }

  /** Returns the step of a key, which stays ready until it is {@linkplain #release released}. */
  public PreparedStep<S> acquire(K key) {
    Optional<PreparedStep<S>> unused;
    PreparedStep<S> created;
    synchronized (this) {
      PreparedStep<S> known = steps.get(key);
      if (known != null) {
        known.users++;
        return known;
      }
      created = new PreparedStep<>(key);
      created.users++;
      if (closed) {
        dropped.add(created);
      } else {
        steps.put(key, created);
      }
      unused = dropOldest();
    }
    unused.ifPresent(this::discard);
    prepare(key, created);
    return created;
  }

  /** Adds a user to a step that has one already. */
  public synchronized PreparedStep<S> acquireAgain(PreparedStep<S> step) {
    step.users++;
    return step;
  }

  public void release(PreparedStep<S> step) {
    synchronized (this) {
      step.users--;
      if (step.users > 0 || !dropped.remove(step)) {
        return;
      }
    }
    discard(step);
  }

  /** Discards all steps, also those that somebody uses. */
  @Override
  public void close() {
    List<PreparedStep<S>> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(steps.values());
      all.addAll(dropped);
      steps.clear();
      dropped.clear();
    }
    all.forEach(this::discard);
  }

  /** Drops the step that was used longest ago if there are too many; returns it if it is unused. */
  @GuardedBy("this")
  private Optional<PreparedStep<S>> dropOldest() {
    if (steps.size() <= most) {
      return Optional.empty();
    }
    Iterator<PreparedStep<S>> inOrderOfUse = steps.values().iterator();
    PreparedStep<S> oldest = inOrderOfUse.next();
    inOrderOfUse.remove();
    if (oldest.users > 0) {
      dropped.add(oldest);
      return Optional.empty();
    }
    return Optional.of(oldest);
  }

  private void prepare(K key, PreparedStep<S> into) {
    CompletableFuture<S> prepared;
    try {
      prepared = prepare.apply(key);
    } catch (RuntimeException | Error e) {
      prepared = CompletableFuture.failedFuture(e);
    }
    prepared.whenComplete(
        (step, thrown) -> {
          if (thrown == null) {
            into.step.complete(step);
          } else {
            forget(into);
            into.step.completeExceptionally(
                thrown instanceof CompletionException ? thrown.getCause() : thrown);
          }
        });
  }

  private synchronized void forget(PreparedStep<S> step) {
    steps.remove(step.key, step);
  }

  private void discard(PreparedStep<S> step) {
    step.step.thenAccept(discard);
  }
}
