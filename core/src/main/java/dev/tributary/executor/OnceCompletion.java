package dev.tributary.executor;

import dev.tributary.kernel.AsyncKernel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Lets the first call of an asynchronous kernel count, and no other: a cancelled wait may still be
 * answered.
 */
final class OnceCompletion implements AsyncKernel.Completion {
  private final AtomicBoolean called = new AtomicBoolean();
  private final Runnable onSuccess;
  private final Consumer<RuntimeException> onFailure;

  OnceCompletion(Runnable onSuccess, Consumer<RuntimeException> onFailure) {
    this.onSuccess = onSuccess;
    this.onFailure = onFailure;
  }

  @Override
  public void succeed() {
    if (called.compareAndSet(false, true)) {
      onSuccess.run();
    }
  }

  @Override
  public void fail(RuntimeException failure) {
    if (called.compareAndSet(false, true)) {
      onFailure.accept(failure);
    }
  }
}
