package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import java.util.Map;

/** The features of parsed examples by key. Immutable. */
public final class ParsedExamples {
  private final Map<String, Output> dense;
  private final Map<String, SparseTensor> sparse;

  ParsedExamples(Map<String, Output> dense, Map<String, SparseTensor> sparse) {
    this.dense = Map.copyOf(dense);
    this.sparse = Map.copyOf(sparse);
  }

  public Output dense(String key) {
    return find(dense, key);
  }

  public SparseTensor sparse(String key) {
    return find(sparse, key);
  }

  private static <V> V find(Map<String, V> features, String key) {
    V found = features.get(key);
    if (found == null) {
      throw TributaryException.notFound(
          "no such feature '%s'; there are %s", key, features.keySet());
    }
    return found;
  }
}
