package dev.tributary.ops;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import java.util.List;

/**
 * A queue of a graph: its handle, and the ways to fill and to empty it. An element is a tuple with
 * a tensor for each component. A step that enqueues into a full queue or dequeues from an empty one
 * waits, without holding a thread, until it can continue or the queue is closed. Immutable; made by
 * {@link QueueOps}.
 *
 * <pre>{@code
 * Queue queue = tf.queues.fifoQueue(QueueOptions.of(10, DataType.FLOAT).withShapes(Shape.of(2)));
 * Operation enqueue = queue.enqueue(tf.constant(1f, 2f));
 * Output batch = queue.dequeueMany(5).get(0); // of shape [5,2]
 * }</pre>
 */
public final class Queue {
  private final Scope scope;
  private final Output handle;
  private final List<DataType> types;

  Queue(Scope scope, Output handle, List<DataType> types) {
    this.scope = scope;
    this.handle = handle;
    this.types = List.copyOf(types);
  }

  /** The same queue, used in another scope. */
  public Queue in(Ops tf) {
    return new Queue(tf.scope(), handle, types);
  }

  public Output handle() {
    return handle;
  }

  /** The element type of each component. */
  public List<DataType> types() {
    return types;
  }

  /** Adds one element, given by its components, when there is room. */
  public Operation enqueue(Operand... components) {
    return enqueue(List.of(components));
  }

  /** Adds one element, given by its components, when there is room. */
  public Operation enqueue(List<? extends Operand> components) {
    return user("QueueEnqueueV2", "enqueue").inputList(components).build();
  }

  /** Adds each row of a batch as an element of its own, as there is room. */
  public Operation enqueueMany(Operand... batch) {
    return enqueueMany(List.of(batch));
  }

  /** Adds each row of a batch as an element of its own, as there is room. */
  public Operation enqueueMany(List<? extends Operand> batch) {
    return user("QueueEnqueueManyV2", "EnqueueMany").inputList(batch).build();
  }

  /** The components of the next element. OUT_OF_RANGE when the queue is closed and empty. */
  public List<Output> dequeue() {
    return user("QueueDequeueV2", "Dequeue").attr("component_types", types).build().outputs();
  }

  /** The components of the next {@code n} elements, each a batch. */
  public List<Output> dequeueMany(int n) {
    return dequeueMany(constant(n));
  }

  /** The components of the next {@code n} elements, each a batch. */
  public List<Output> dequeueMany(Operand n) {
    return batch("QueueDequeueManyV2", "DequeueMany", n);
  }

  /** As {@link #dequeueMany(int)}, but gives the rest when the queue is closed. */
  public List<Output> dequeueUpTo(int n) {
    return dequeueUpTo(constant(n));
  }

  /** As {@link #dequeueMany(Output)}, but gives the rest when the queue is closed. */
  public List<Output> dequeueUpTo(Operand n) {
    return batch("QueueDequeueUpToV2", "DequeueUpTo", n);
  }

  /** Closes the queue: waiting enqueues continue, new ones fail. */
  public Operation close() {
    return close(false);
  }

  /** Closes the queue; waiting enqueues are cancelled or continue. */
  public Operation close(boolean cancelPendingEnqueues) {
    return user("QueueCloseV2", "Close")
        .attr("cancel_pending_enqueues", cancelPendingEnqueues)
        .build();
  }

  /** Returns how many elements it holds, as an int32. */
  public Output size() {
    return user("QueueSizeV2", "Size").buildOutput();
  }

  public Output isClosed() {
    return user("QueueIsClosedV2", "is_closed").buildOutput();
  }

  private List<Output> batch(String op, String role, Operand n) {
    return user(op, role).input(n).attr("component_types", types).build().outputs();
  }

  private Output constant(int n) {
    return new Ops(scope.withoutName()).constant(n);
  }

  private OperationBuilder user(String op, String role) {
    return named(role).operation(op).input(handle);
  }

  /** Called after the queue, as TensorFlow does, unless the scope has a name to give. */
  private Scope named(String role) {
    if (scope.operationName().isPresent()) {
      return scope;
    }
    String name = handle.operation().name();
    return scope.withName(name.substring(name.lastIndexOf('/') + 1) + "_" + role);
  }
}
