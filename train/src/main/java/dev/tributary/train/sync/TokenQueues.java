package dev.tributary.train.sync;

import dev.tributary.error.TributaryException;
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
 * How the chief tells workers that a step is over: by tokens that hold the new global step. A
 * worker that makes one gradient in each step has a queue of its own, so that no fast worker takes
 * the token of a slow one and adds a second gradient to a step. Workers that make several share one
 * queue, TensorFlow's {@code sync_token_q}, and whoever is fast makes more.
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
   * @param tf beside the global step
   * @param replica which of the workers this is
   */
  static TokenQueues of(Ops tf, DataType type, Replicas replicas, int replica) {
    if (replica < 0 || replica >= replicas.total()) {
      throw TributaryException.invalidArgument(
          "sync_replicas: this is replica %d, but there are %d; tell its number by withReplica",
          replica, replicas.total());
    }
    if (replicas.total() < replicas.toAggregate()) {
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

  /** Gives one token to each worker or, to those who share a queue, {@code count} in all. */
  Operation give(Ops tf, Output step, Output count) {
    if (queues.size() == 1) {
      Output copies = tf.fill(tf.expandDims(count, 0), step);
      return queues.get(0).in(tf).enqueueMany(copies);
    }
    List<Operation> all = new ArrayList<>();
    queues.forEach(queue -> all.add(queue.in(tf).enqueue(step)));
    return tf.group(all);
  }

  /**
   * Gives tokens to each worker that has a queue of its own.
   *
   * @param counts how many to each, an int32 vector
   */
  Operation giveEach(Ops tf, Output step, Output counts) {
    List<Output> each = tf.split(counts, queues.size(), 0);
    List<Operation> all = new ArrayList<>();
    for (int i = 0; i < queues.size(); i++) {
      all.add(queues.get(i).in(tf).enqueueMany(tf.fill(each.get(i), step)));
    }
    return tf.group(all);
  }

  /**
   * Waits for a token, and gives the newest one: a worker that fell behind skips what it missed.
   */
  Output take(Ops tf) {
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
   * Throws away tokens from before this process was started, which would let it run ahead. Tokens
   * in a shared queue may be meant for others, and stay.
   */
  Operation clear(Ops tf) {
    if (queues.size() == 1) {
      return tf.noOp();
    }
    Queue queue = queues.get(own);
    return queue.in(tf).dequeueMany(queue.in(tf).size()).get(0).operation();
  }
}
