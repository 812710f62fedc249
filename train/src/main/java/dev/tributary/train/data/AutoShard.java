package dev.tributary.train.data;

/** The policy by which the workers of a training share a pipeline. */
public enum AutoShard {
  /** By files if the pipeline reads some, and by elements otherwise. */
  AUTO(0),
  /**
   * By the names of files that {@code tfRecords}, {@code textLines} or {@code fixedLength} reads.
   * There must be a file for each worker. Sources of the pipeline that are no files are NOT_FOUND.
   */
  FILE(1),
  /** Each worker reads everything, and keeps every n-th element. */
  DATA(2),
  /** Each worker has all elements. */
  OFF(-1);

  private final int policy;

  AutoShard(int policy) {
    this.policy = policy;
  }

  /** The policy's number in TensorFlow. */
  int policy() {
    return policy;
  }
}
