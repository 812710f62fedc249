package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.SparseTensor;
import dev.tributary.train.data.Examples;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A batch of named features in a graph. Each is dense or sparse, and its first dimension is the
 * batch. Immutable.
 *
 * <pre>{@code
 * Features.none().and("age", ages).and("tags", sparseTags)
 * }</pre>
 */
public final class Features {
  private static final Features NONE =
      new Features(Collections.emptySortedMap(), Collections.emptySortedMap());

  private final SortedMap<String, Output> dense;
  private final SortedMap<String, SparseTensor> sparse;

  private Features(SortedMap<String, Output> dense, SortedMap<String, SparseTensor> sparse) {
    this.dense = Collections.unmodifiableSortedMap(dense);
    this.sparse = Collections.unmodifiableSortedMap(sparse);
  }

  public static Features none() {
    return NONE;
  }

  /** Returns the parts of a batch of a dataset. */
  public static Features of(Examples examples) {
    SortedMap<String, Output> dense = new TreeMap<>();
    examples.names().forEach(name -> dense.put(name, examples.get(name)));
    return new Features(dense, Collections.emptySortedMap());
  }

  /** Returns these features with one more, or with another one of this name. */
  public Features and(String name, Operand feature) {
    SortedMap<String, Output> newDense = new TreeMap<>(dense);
    newDense.put(name, feature.asOutput());
    SortedMap<String, SparseTensor> newSparse = new TreeMap<>(sparse);
    newSparse.remove(name);
    return new Features(newDense, newSparse);
  }

  /** Returns these features with one more, or with another one of this name. */
  public Features and(String name, SparseTensor feature) {
    SortedMap<String, SparseTensor> newSparse = new TreeMap<>(sparse);
    newSparse.put(name, Objects.requireNonNull(feature, "feature"));
    SortedMap<String, Output> newDense = new TreeMap<>(dense);
    newDense.remove(name);
    return new Features(newDense, newSparse);
  }

  /** Returns these features without one of them, if it is there. */
  public Features without(String name) {
    SortedMap<String, Output> newDense = new TreeMap<>(dense);
    newDense.remove(name);
    SortedMap<String, SparseTensor> newSparse = new TreeMap<>(sparse);
    newSparse.remove(name);
    return new Features(newDense, newSparse);
  }

  /** Returns the names of all features in alphabetical order. */
  public SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>(dense.keySet());
    names.addAll(sparse.keySet());
    return Collections.unmodifiableSortedSet(names);
  }

  public boolean isSparse(String name) {
    return sparse.containsKey(name);
  }

  /** Returns a dense feature. NOT_FOUND lists those that exist. */
  public Output dense(String name) {
    Output found = dense.get(name);
    if (found == null) {
      throw missing(name, "dense", sparse.keySet());
    }
    return found;
  }

  /** Returns a sparse feature. NOT_FOUND lists those that exist. */
  public SparseTensor sparse(String name) {
    SparseTensor found = sparse.get(name);
    if (found == null) {
      throw missing(name, "sparse", dense.keySet());
    }
    return found;
  }

  private TributaryException missing(String name, String wanted, Set<String> others) {
    if (others.contains(name)) {
      return TributaryException.invalidArgument(
          "feature '%s' is %s, wanted a %s one",
          name, wanted.equals("dense") ? "sparse" : "dense", wanted);
    }
    return TributaryException.notFound("no feature '%s'; the input has %s", name, names());
  }

  @Override
  public String toString() {
    return "Features " + names();
  }
}
