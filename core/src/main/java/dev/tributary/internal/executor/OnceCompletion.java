package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.AsyncKernel;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The end of one asynchronous call. Only the first answer of the kernel counts: a cancelled wait
 * may still be answered. The step continues on the thread that started the call, if it finds the
 * call {@linkplain #hasEnded ended}; else in {@code onLateEnd}, on the thread that ended it.
 */
final class OnceCompletion implements AsyncKernel.Completion {
  private final Consumer<Optional<RuntimeException>> onLateEnd;

  /** The failure of the call, if it failed; null while it has not ended. */
  private final AtomicReference<Optional<RuntimeException>> end = new AtomicReference<>();

  private final AtomicBoolean oneCame = new AtomicBoolean();

  OnceCompletion(Consumer<Optional<RuntimeException>> onLateEnd) {
    this.onLateEnd = onLateEnd;
  }

  @Override
  public void succeed() {
    end(Optional.empty());
  }

  @Override
  public void fail(RuntimeException failure) {
    end(Optional.of(failure));
  }

  /** To be asked once, by the thread that started the call, when it has been started. */
  boolean hasEnded() {
    return oneCame.getAndSet(true);
  }

  /** Of a call that has ended. */
  Optional<RuntimeException> failure() {
    return end.get();
  }

  private void end(Optional<RuntimeException> failure) {
    if (end.compareAndSet(null, failure) && oneCame.getAndSet(true)) {
      onLateEnd.accept(failure);
    }
  }
}
