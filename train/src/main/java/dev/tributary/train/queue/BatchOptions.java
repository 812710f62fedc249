package dev.tributary.train.queue;

import dev.tributary.error.TributaryException;

/**
 * Options of batches. Immutable.
 *
 * @param batchSize the number of elements of a batch
 * @param threads the number of threads that enqueue
 * @param capacity the capacity of the queue of elements
 * @param enqueueMany whether the tensors are batches of any size, whose rows are elements
 * @param dynamicPad whether elements of different sizes are padded with zeros
 * @param allowSmallerFinalBatch whether the remaining elements make a smaller batch at the end
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

  /** Returns options for single elements from one thread, and a queue of 32. */
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
