package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** A value for each replica of this process. Immutable. */
public final class PerReplica<T> {
  private final List<T> values;

  private PerReplica(List<T> values) {
    this.values = List.copyOf(values);
  }

  /** Returns these values, in the order of the replicas. */
  public static <T> PerReplica<T> of(List<T> values) {
    if (values.isEmpty()) {
      throw TributaryException.invalidArgument(
          "a per-replica value needs a value for each replica, got none");
    }
    return new PerReplica<>(values);
  }

  /** Returns the same value for each of so many replicas. */
  public static <T> PerReplica<T> same(int replicas, T value) {
    return of(Collections.nCopies(replicas, value));
  }

  /** Returns the value of the first replica. */
  public T first() {
    return values.get(0);
  }

  public T get(int replica) {
    if (replica < 0 || replica >= values.size()) {
      throw TributaryException.invalidArgument(
          "there is no replica %d: the value has %d, from 0 on", replica, values.size());
    }
    return values.get(replica);
  }

  public int size() {
    return values.size();
  }

  /** Returns all values, in the order of the replicas. */
  public List<T> values() {
    return values;
  }

  /** Returns what a function makes of the value of each replica. */
  public <R> PerReplica<R> map(Function<? super T, ? extends R> f) {
    return new PerReplica<>(values.stream().<R>map(f).toList());
  }

  @Override
  public String toString() {
    return "PerReplica" + values;
  }
}
