package dev.tributary.kernel;

/**
 * One run of a graph: its number, the way to stop it, and what kernels keep for its duration (stacks, tensor arrays). All
 * partitions of a step in a process share it.
 */
public final class Step implements AutoCloseable {
  private final long id;
  private final Cancellation cancellation;
  private final ResourceContainer scratch = new ResourceContainer("step");

  public Step(long id, Cancellation cancellation) {
    this.id = id;
    this.cancellation = cancellation;
  }

  public long id() {
    return id;
  }

  public Cancellation cancellation() {
    return cancellation;
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
