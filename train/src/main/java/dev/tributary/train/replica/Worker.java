package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;

/**
 * One of the workers that train a model.
 *
 * @param index which one, counted from 0
 * @param count how many there are
 */
record Worker(int index, int count) {
  Worker {
    if (index < 0 || index >= count) {
      throw TributaryException.invalidArgument(
          "this is worker %d of %d; tell its number by withReplica", index, count);
    }
  }
}
