package dev.tributary.train.queue;

import dev.tributary.error.TributaryException;

/**
 * How single elements become batches. Immutable.
 *
 * @param batchSize how many elements a batch has
 * @param threads how many threads enqueue
 * @param capacity how many elements wait for a batch
 * @param enqueueMany whether the tensors are batches already, of any size, whose rows are elements
 * @param dynamicPad whether sizes that differ are filled up with zeros
 * @param allowSmallerFinalBatch whether what is left at the end makes a batch
 * @param sharedName the name under which tasks share the queue; empty for none
 */
public record BatchOptions(
    int batchSize,
    int threads,
    int capacity,
    boolean enqueueMany,
    boolean dynamicPad,
    boolean allowSmallerFinalBatch,
    String sharedName) {
  public BatchOptions {
    if (batchSize < 1 || threads < 1) {
      throw TributaryException.invalidArgument(
          "batch size and number of threads must be positive, got %d and %d", batchSize, threads);
    }
  }

  /** Single elements from one thread, 32 of which may wait. */
  public static BatchOptions of(int batchSize) {
    return new BatchOptions(batchSize, 1, 32, false, false, false, "");
  }

  public BatchOptions withThreads(int count) {
    return new BatchOptions(
        batchSize, count, capacity, enqueueMany, dynamicPad, allowSmallerFinalBatch, sharedName);
  }

  public BatchOptions withCapacity(int elements) {
    return new BatchOptions(
        batchSize, threads, elements, enqueueMany, dynamicPad, allowSmallerFinalBatch, sharedName);
  }

  public BatchOptions withEnqueueMany() {
    return new BatchOptions(
        batchSize, threads, capacity, true, dynamicPad, allowSmallerFinalBatch, sharedName);
  }

  public BatchOptions withDynamicPad() {
    return new BatchOptions(
        batchSize, threads, capacity, enqueueMany, true, allowSmallerFinalBatch, sharedName);
  }

  public BatchOptions withSmallerFinalBatch() {
    return new BatchOptions(
        batchSize, threads, capacity, enqueueMany, dynamicPad, true, sharedName);
  }

  public BatchOptions withSharedName(String name) {
    return new BatchOptions(
        batchSize, threads, capacity, enqueueMany, dynamicPad, allowSmallerFinalBatch, name);
  }
}
