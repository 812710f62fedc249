package dev.tributary.internal.memory;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.Optional;

/**
 * The claim of one holder to a shared tensor: one reference, given back once, however often the
 * holder closes. It stands in the place of the storage in the tensor that the holder sees, so that
 * the checks of the shared tensors, which the executor uses, cost nothing more. Safe for use by
 * many threads.
 *
 * @param <T> the tensor's type, which this package does not know
 */
public final class Hold<T> extends Storage {
  /** The tensor that the runtime passes on, to whose storage this holds one reference. */
  private final T shared;

  private final Storage storage;

  /** The origin of the tensor, such as the output that was fetched; null if unknown. */
  private final Object origin;

  /** True if closing leaves the reference alone, since somebody else gives it back. */
  private final boolean isLent;

  private volatile Throwable closed;

  /** Takes over a reference to the storage of a shared tensor. */
  public Hold(T shared, Storage storage, Object origin, boolean isLent) {
    super(storage.address());
    this.shared = shared;
    this.storage = storage;
    this.origin = origin;
    this.isLent = isLent;
  }

  public Object origin() {
    return origin;
  }

  public boolean isExclusive() {
    return isLive() && storage.references() == 1;
  }

  /** The shared tensor for a look, without a reference. */
  public T shared() {
    return shared;
  }

  /** The shared tensor with a reference of its own. */
  public T share() {
    if (!isLive() || !storage.retain(1)) {
      throw usedAfterClose();
    }
    return shared;
  }

  /** The shared tensor with the reference of this hold, which ends; a lent one stays. */
  public T take() {
    if (isLent) {
      return share();
    }
    noteClose();
    if (!end()) {
      throw usedAfterClose();
    }
    return shared;
  }

  /** Closes the tensor for its holder. */
  public void close() {
    if (!isLent) {
      giveBack();
    }
  }

  /** Ends the hold, also one that was lent. */
  public void giveBack() {
    noteClose();
    if (end()) {
      free();
    }
  }

  @Override
  void free() {
    if (!storage.release()) {
      throw TributaryException.internal("%s was released more often than retained", shared);
    }
  }

  private void noteClose() {
    if (closed == null && isLive() && Allocator.shared().isTracking()) {
      closed = new Throwable(shared + " was closed here");
    }
  }

  public TributaryException usedAfterClose() {
    Throwable site = closed;
    String what =
        shared + (origin == null ? "" : " of " + origin) + " was used after it was closed";
    String where =
        site == null
            ? "; Tensor.track(true) records where"
            : closer(site).map(frame -> " at " + frame).orElse("");
    String next =
        isLent
            ? ". Close a graph after the last session that runs it"
            : ". Closing a StepResult closes its tensors; keep one for longer with retain()";
    return new TributaryException(ErrorCode.FAILED_PRECONDITION, what + where + next, site);
  }

  /** The frame of whoever closed, which is outside of the classes that pass a close on. */
  private static Optional<StackTraceElement> closer(Throwable site) {
    for (StackTraceElement frame : site.getStackTrace()) {
      String name = frame.getClassName();
      boolean passesOn =
          name.equals(Hold.class.getName())
              || name.endsWith(".Tensor")
              || name.endsWith(".SharedTensors")
              || name.endsWith(".StepResult")
              || name.startsWith("java.");
      if (!passesOn) {
        return Optional.of(frame);
      }
    }
    return Optional.empty();
  }
}
