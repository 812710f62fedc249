package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.data.DatasetIterator;
import java.util.ArrayList;
import java.util.List;

/**
 * An iterator that gives each replica its part of the input. Confined to the thread that builds the
 * graph.
 *
 * @param <E> what an element is in a graph
 */
public final class DistributedIterator<E> {
  private final Strategy strategy;
  private final DatasetIterator<E> iterator;
  private final Ops tf;
  private final boolean splits;

  private DistributedIterator(
      Strategy strategy, DatasetIterator<E> iterator, Ops tf, boolean splits) {
    this.strategy = strategy;
    this.iterator = iterator;
    this.tf = tf;
    this.splits = splits;
  }

  /** Splits each element, a batch for all replicas. */
  static <E> DistributedIterator<E> splitting(
      Strategy strategy, DatasetIterator<E> iterator, Ops tf) {
    for (Shape shape : iterator.spec().shapes()) {
      if (shape.hasRank() && shape.rank() == 0) {
        throw TributaryException.invalidArgument(
            "%s splits batches over replicas, but the elements %s have no batch dimension: use"
                + " dataset.batch(..) first",
            strategy, iterator.spec());
      }
    }
    return new DistributedIterator<>(strategy, iterator, tf, true);
  }

  /** Gives the elements to the replicas in turn. */
  static <E> DistributedIterator<E> inTurn(Strategy strategy, DatasetIterator<E> iterator, Ops tf) {
    return new DistributedIterator<>(strategy, iterator, tf, false);
  }

  /**
   * Adds nodes that take the next input of all replicas. Behind the last element a step fails with
   * OUT_OF_RANGE; where each replica takes an element of its own, a last group that is not complete
   * is dropped.
   */
  public PerReplica<E> next() {
    return PerReplica.of(splits ? pieces() : elements());
  }

  private List<E> pieces() {
    return iterator.nextSplit(strategy.localReplicas(), strategy::pieces);
  }

  private List<E> elements() {
    List<E> elements = new ArrayList<>();
    Ops after = tf;
    for (int i = 0; i < strategy.localReplicas(); i++) {
      Operation[] taken = new Operation[1];
      List<E> one =
          iterator
              .in(after)
              .nextSplit(
                  1,
                  component -> {
                    taken[0] = component.operation();
                    return List.of(component);
                  });
      elements.addAll(one);
      after = tf.withControlDependencies(taken);
    }
    return elements;
  }

  /** Returns the operation that begins the iterator. */
  public Operation initializer() {
    return iterator.initializer();
  }

  /** Makes savers take along where the iterator is. */
  public DistributedIterator<E> saveable() {
    iterator.saveable();
    return this;
  }
}
