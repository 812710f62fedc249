package dev.tributary.train.variable;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The variables that one family of scopes has made, by full name. Confined to the thread that
 * builds the graph.
 */
final class VariableStore {
  private final Map<String, Object> variables = new TreeMap<>();
  private final Map<String, Integer> openings = new HashMap<>();

  /** A variable or partitioned variable as the reuse mode wants it: found, or empty to be made. */
  Optional<Object> find(String fullName, Reuse reuse) {
    Optional<Object> found = Optional.ofNullable(variables.get(fullName));
    if (found.isPresent() && reuse == Reuse.NONE) {
      throw new TributaryException(
          ErrorCode.ALREADY_EXISTS,
          "variable '" + fullName + "' exists already; was it meant to be reused?");
    }
    if (found.isEmpty() && reuse == Reuse.ALWAYS) {
      throw TributaryException.notFound(
          "variable '%s' cannot be reused, it was never made; there are %s",
          fullName, variables.keySet());
    }
    return found;
  }

  void add(String fullName, Object variable) {
    variables.put(fullName, variable);
  }

  static void requireSame(String name, DataType type, Shape shape, VariableSpec wanted) {
    if (type != wanted.type() || !shape.isCompatibleWith(wanted.shape())) {
      throw TributaryException.invalidArgument(
          "variable '%s' is %s %s and cannot be reused as %s %s",
          name, type.lowerName(), shape, wanted.type().lowerName(), wanted.shape());
    }
  }

  void open(String scopeName) {
    openings.merge(scopeName, 1, Integer::sum);
  }

  /** {@code prefix}, or the first of {@code prefix_1, prefix_2, ...} that is not open yet. */
  String unopened(String parent, String prefix) {
    String candidate = prefix;
    for (int i = 1; openings.containsKey(parent + candidate); i++) {
      candidate = prefix + "_" + i;
    }
    return candidate;
  }
}
