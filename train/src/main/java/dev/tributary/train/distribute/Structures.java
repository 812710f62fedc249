package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Structures of what the replicas of a function return. */
final class Structures {
  private Structures() {}

  /** Fails unless all results have one structure. */
  static void requireAlike(List<?> results) {
    String first = describe(results.get(0));
    for (int i = 1; i < results.size(); i++) {
      String other = describe(results.get(i));
      if (!other.equals(first)) {
        throw TributaryException.invalidArgument(
            "the function returned %s in replica 0 and %s in replica %d: all replicas must return"
                + " values of the same structure",
            first, other, i);
      }
    }
  }

  private static String describe(Object value) {
    if (value instanceof Operation) {
      return "operation";
    } else if (value instanceof Operand operand) {
      return operand.asOutput().type().lowerName() + " tensor";
    } else if (value instanceof List<?> list) {
      return list.stream().map(Structures::describe).toList().toString();
    } else if (value instanceof Map<?, ?> map) {
      StringBuilder text = new StringBuilder("{");
      map.entrySet().stream()
          .map(entry -> entry.getKey() + ": " + describe(entry.getValue()))
          .sorted()
          .forEach(entry -> text.append(text.length() > 1 ? ", " : "").append(entry));
      return text.append('}').toString();
    } else if (value instanceof Optional<?> optional) {
      return optional.map(Structures::describe).orElse("nothing");
    }
    return value.getClass().getSimpleName();
  }
}
