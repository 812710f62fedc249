package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The components of a queue's elements, and its capacity. Immutable.
 *
 * @param shapes the shape of each component; empty if elements may have any
 * @param capacity how many elements it may hold
 * @param minAfterDequeue how many a dequeue must leave, as long as the queue is open
 */
record QueueSpec(
    QueueKind kind,
    List<DataType> types,
    List<Shape> shapes,
    int capacity,
    int minAfterDequeue,
    long seed,
    long seed2) {
  QueueSpec {
    types = List.copyOf(types);
    shapes = List.copyOf(shapes);
  }

  /** Reads the attributes of a node that makes a queue. */
  static QueueSpec of(QueueKind kind, KernelNode node) {
    Attributes attributes = node.attributes();
    List<DataType> types = new ArrayList<>(attributes.types("component_types"));
    List<Shape> shapes = new ArrayList<>(attributes.shapes("shapes"));
    if (kind == QueueKind.PRIORITY) {
      types.add(0, DataType.INT64);
      if (!shapes.isEmpty() || types.size() == 1) {
        shapes.add(0, Shape.scalar());
      }
    }
    boolean random = kind == QueueKind.RANDOM_SHUFFLE;
    int capacity = attributes.int32("capacity");
    QueueSpec spec =
        new QueueSpec(
            kind,
            types,
            shapes,
            capacity < 0 ? Integer.MAX_VALUE : capacity,
            random ? attributes.int32("min_after_dequeue") : 0,
            random ? attributes.integer("seed") : 0,
            random ? attributes.integer("seed2") : 0);
    spec.requireSound();
    return spec;
  }

  boolean hasShapes() {
    return !shapes.isEmpty();
  }

  /** Fails unless a node that wants {@code wanted} may use a queue that was made like this. */
  void requireFits(String name, QueueSpec wanted) {
    requireSame(name, "kind", kind.opName(), wanted.kind.opName());
    requireSame(name, "component types", types, wanted.types);
    requireSame(name, "component shapes", shapes, wanted.shapes);
    requireSame(name, "capacity", capacity, wanted.capacity);
    requireSame(name, "min_after_dequeue", minAfterDequeue, wanted.minAfterDequeue);
    if (wanted.seed != 0 || wanted.seed2 != 0) {
      requireSame(name, "seeds", List.of(seed, seed2), List.of(wanted.seed, wanted.seed2));
    }
  }

  /** Fails unless an op that moves components of these types may use the queue. */
  void requireTypes(List<DataType> got) {
    if (!types.equals(got)) {
      throw TributaryException.invalidArgument(
          "the queue's components have types %s, the op's have %s", types, got);
    }
  }

  /** Fails unless these make one element. */
  void requireElement(List<Tensor> components) {
    for (int i = 0; i < components.size(); i++) {
      requireComponent(i, components.get(i).shape());
    }
  }

  /** Returns how many elements these make, each component having one more dimension in front. */
  int requireBatch(List<Tensor> components) {
    long count = -1;
    for (int i = 0; i < components.size(); i++) {
      Shape shape = components.get(i).shape();
      if (shape.rank() < 1) {
        throw TributaryException.invalidArgument(
            "component %d must have a dimension for the elements, got a scalar", i);
      }
      if (count >= 0 && shape.size(0) != count) {
        throw TributaryException.invalidArgument(
            "All input tensors must have the same size in the 0th dimension. Component %d has %d,"
                + " and should have %d",
            i, shape.size(0), count);
      }
      count = shape.size(0);
      requireComponent(i, shape.slice(1, shape.rank()));
    }
    return ArrayLength.of(count);
  }

  /** Fails unless elements can be put together to batches. */
  void requireBatches() {
    if (!hasShapes()) {
      throw TributaryException.invalidArgument(
          "%s's DequeueMany and DequeueUpTo require the components to have specified shapes",
          kind.opName());
    }
  }

  private void requireComponent(int i, Shape got) {
    Shape wanted =
        hasShapes()
            ? shapes.get(i)
            : i == 0 && kind == QueueKind.PRIORITY ? Shape.scalar() : Shape.unknown();
    if (!wanted.isCompatibleWith(got)) {
      throw TributaryException.invalidArgument(
          "Shape mismatch in tuple component %d. Expected %s, got %s", i, wanted, got);
    }
  }

  private void requireSound() {
    boolean padding = kind == QueueKind.PADDING_FIFO;
    if (shapes.size() != types.size() && (padding || hasShapes())) {
      throw TributaryException.invalidArgument(
          "there must be a shape for each component type, got types %s and shapes %s",
          types, shapes);
    }
    for (Shape shape : shapes) {
      if (!(padding ? shape.hasRank() : shape.isFullyDefined())) {
        throw TributaryException.invalidArgument(
            "component shapes of a %s must be %s, got %s",
            kind.opName(), padding ? "of known rank" : "fully defined", shapes);
      }
    }
    boolean mixes = kind == QueueKind.RANDOM_SHUFFLE;
    if (mixes && (minAfterDequeue < 0 || minAfterDequeue >= capacity)) {
      throw TributaryException.invalidArgument(
          "min_after_dequeue must be 0 or more and less than the capacity, %d, got %d",
          capacity, minAfterDequeue);
    }
  }

  private static void requireSame(String name, String what, Object has, Object wanted) {
    if (!has.equals(wanted)) {
      throw TributaryException.invalidArgument(
          "Shared queue '%s' has %s %s but requested were %s", name, what, has, wanted);
    }
  }
}
