package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The queues of tokens by which the chief reports that a step is over; a token holds the new global
 * step. A worker that computes one gradient for each step has a queue of its own, so that a fast
 * worker cannot take the token of a slow one and add a second gradient to a step. Workers that
 * compute several share one queue, TensorFlow's {@code sync_token_q}, and a fast worker computes
 * more of them.
 */
final class TokenQueues {
  private static final String NAME = "sync_token_q";

  private final List<Queue> queues;
  private final int own;

  private TokenQueues(List<Queue> queues, int own) {
    this.queues = queues;
    this.own = own;
  }

  /**
   * @param tf the scope of the global step's device
   * @param replica the index of this worker
   */
  static TokenQueues of(Ops tf, DataType type, Replicas replicas, int replica) {
    if (replicas.shareTokens()) {
      return new TokenQueues(List.of(queue(tf, type, NAME)), 0);
    }
    List<Queue> queues = new ArrayList<>();
    for (int i = 0; i < replicas.total(); i++) {
      queues.add(queue(tf, type, NAME + "_" + i));
    }
    return new TokenQueues(queues, replica);
  }

  private static Queue queue(Ops tf, DataType type, String name) {
    return tf.withName(name)
        .queues
        .fifoQueue(QueueOptions.of(-1, type).withShapes(Shape.scalar()).withSharedName(name));
  }

  int size() {
    return queues.size();
  }

  /**
   * Enqueues tokens.
   *
   * @param counts the number of tokens for each queue, an int32 vector
   */
  Operation enqueue(Ops tf, Output step, Output counts) {
    List<Output> each = tf.split(counts, queues.size(), 0);
    List<Operation> all = new ArrayList<>();
    for (int i = 0; i < queues.size(); i++) {
      all.add(queues.get(i).in(tf).enqueueMany(tf.fill(each.get(i), step)));
    }
    return tf.group(all);
  }

  /** Enqueues one token for this worker. */
  Operation enqueueOwn(Ops tf, Output step) {
    return queues.get(own).in(tf).enqueue(step);
  }

  /**
   * Waits for a token of this worker and returns the newest one, so that a worker that fell behind
   * skips the steps it missed.
   */
  Output dequeue(Ops tf) {
    Queue queue = queues.get(own);
    Output first = queue.in(tf).dequeue().get(0);
    if (queues.size() == 1) {
      return first;
    }
    Ops after = tf.withControlDependencies(first.operation());
    Output waiting = queue.in(after).size();
    Output rest = queue.in(after).dequeueMany(waiting).get(0);
    return after.max(after.concat(0, after.expandDims(first, 0), rest), 0);
  }

  /**
   * Removes tokens from before this process was started, which would let it run ahead. Tokens in a
   * shared queue may belong to others, and stay.
   */
  Operation clear(Ops tf) {
    if (queues.size() == 1) {
      return tf.noOp();
    }
    Queue queue = queues.get(own);
    return queue.in(tf).dequeueMany(queue.in(tf).size()).get(0).operation();
  }
}
