package dev.tributary.kernel;

/**
 * One run of a graph: its number, the way to stop it, and what kernels keep for its duration
 * (stacks, tensor arrays). All partitions of a step in a process share it.
 */
public final class Step implements AutoCloseable {
  private final long id;
  private final Cancellation cancellation;
  private final CallFrame callFrame;
  private final ResourceContainer scratch = new ResourceContainer("step");

  public Step(long id, Cancellation cancellation, CallFrame callFrame) {
    this.id = id;
    this.cancellation = cancellation;
    this.callFrame = callFrame;
  }

  public long id() {
    return id;
  }

  public Cancellation cancellation() {
    return cancellation;
  }

  /** What the step was called with, and where its results go. */
  public CallFrame callFrame() {
    return callFrame;
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
