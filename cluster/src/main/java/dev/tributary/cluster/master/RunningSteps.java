package dev.tributary.cluster.master;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Cancellation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What a session is doing, and whether it may do more. Guarded by its own monitor. */
final class RunningSteps {
  private final Set<Cancellation> running = new LinkedHashSet<>();
  private final CompletableFuture<Void> allEnded = new CompletableFuture<>();
  private boolean closed;

  /** Lets something begin that {@link #close} may cancel and that must {@link #end}. */
  synchronized void begin(Cancellation step) {
    requireOpen();
    running.add(step);
  }

  synchronized void requireOpen() {
    if (closed) {
      throw TributaryException.failedPrecondition("Session is closed.");
    }
  }

  void end(Cancellation step) {
    synchronized (this) {
      running.remove(step);
      if (!closed || !running.isEmpty()) {
        return;
      }
    }
    allEnded.complete(null);
  }

  /** Lets nothing begin any more and cancels what has; done when all of it has ended. */
  CompletableFuture<Void> close() {
    List<Cancellation> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(running);
    }
    TributaryException reason =
        new TributaryException(
            ErrorCode.CANCELLED, "Step was cancelled by an explicit call to `Session::Close()`.");
    open.forEach(step -> step.cancel(reason));
    if (open.isEmpty()) {
      allEnded.complete(null);
    }
    return allEnded;
  }
}
