package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Keeps names unique the way TensorFlow's Python client does: the second {@code a} is {@code a_1},
 * and names that differ only in case count as equal, since they would clash as file names. Guarded
 * by its graph's monitor.
 */
final class NameTable {
  private final Set<String> used = new HashSet<>();

  /** For names asked for more than once, the number at which the search for a free one starts. */
  private final Map<String, Integer> next = new HashMap<>();

  /** A free name, which is taken from now on: {@code wanted}, or {@code wanted} with a number. */
  String unique(String wanted) {
    requireValid(wanted);
    String key = key(wanted);
    if (used.add(key)) {
      return wanted;
    }
    int number = next.getOrDefault(key, 1);
    while (!used.add(key + "_" + number)) {
      number++;
    }
    next.put(key, number + 1);
    return wanted + "_" + number;
  }

  /** Takes a name as it is. */
  void reserve(String name) {
    used.add(key(name));
  }

  /**
   * Takes a name as an imported operation brings it; the scopes it stands in are then in use as
   * well.
   */
  void reserveWithScopes(String name) {
    String key = key(name);
    used.add(key);
    for (int slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
      used.add(key.substring(0, slash));
    }
  }

  /** Gives back a name for which nothing was made after all. */
  void release(String name) {
    String key = key(name);
    used.remove(key);
    next.remove(key);
    int underscore = key.lastIndexOf('_');
    if (underscore > 0) {
      next.remove(key.substring(0, underscore));
    }
  }

  static void requireValid(String name) {
    requireMatch(name, !name.startsWith("_"));
  }

  /**
   * Names of operations that the runtime itself makes, such as a Send, may start with an underscore
   * as well.
   */
  static void requireValidInternal(String name) {
    requireMatch(name, true);
  }

  private static void requireMatch(String name, boolean startIsAllowed) {
    if (!startIsAllowed || !isName(name)) {
      throw TributaryException.invalidArgument(
          "'%s' is not a valid name: letters, digits and _ . \\ / > - only, starting with a letter,"
              + " digit or dot",
          name);
    }
  }

  /**
   * Each character of every name of a graph comes here: a pattern would take several times as long.
   */
  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean fits =
          c >= 'a' && c <= 'z'
              || c >= 'A' && c <= 'Z'
              || c >= '0' && c <= '9'
              || c == '_'
              || c == '.'
              || i > 0 && (c == '/' || c == '\\' || c == '>' || c == '-');
      if (!fits) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
