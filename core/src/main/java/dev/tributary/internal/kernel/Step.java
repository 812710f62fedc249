package dev.tributary.internal.kernel;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.rendezvous.Rendezvous;

/**
 * One run of a graph on one device: the number of the step, the way to stop it, where it meets the
 * parts of the step that run elsewhere, and what kernels keep for its duration (stacks, tensor
 * arrays). The parts share all but the last, which ends with this one.
 */
public final class Step implements AutoCloseable {
  private final long id;
  private final Cancellation cancellation;
  private final CallFrame callFrame;
  private final Rendezvous rendezvous;
  private final CollectiveExecutor collectives;
  private final ResourceContainer scratch = new ResourceContainer("step");

  /** A step that takes no part in collectives. */
  public Step(long id, Cancellation cancellation, CallFrame callFrame, Rendezvous rendezvous) {
    this(id, cancellation, callFrame, rendezvous, CollectiveExecutor.none());
  }

  public Step(
      long id,
      Cancellation cancellation,
      CallFrame callFrame,
      Rendezvous rendezvous,
      CollectiveExecutor collectives) {
    this.id = id;
    this.cancellation = cancellation;
    this.callFrame = callFrame;
    this.rendezvous = rendezvous;
    this.collectives = collectives;
  }

  public long id() {
    return id;
  }

  public Cancellation cancellation() {
    return cancellation;
  }

  /** The arguments of the step, and the place for its results. */
  public CallFrame callFrame() {
    return callFrame;
  }

  /** Returns where values go to and come from; it belongs to whoever began the step. */
  public Rendezvous rendezvous() {
    return rendezvous;
  }

  /** Returns where devices compute values together; it belongs to whoever began the step. */
  public CollectiveExecutor collectives() {
    return collectives;
  }

  /** Resources that end with the step. */
  public ResourceContainer scratch() {
    return scratch;
  }

  @Override
  public void close() {
    scratch.clear();
  }
}
