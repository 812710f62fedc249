package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Keeps names unique the way TensorFlow's Python client does: the second {@code a} is {@code a_1},
 * and names that differ only in case count as equal, since they would clash as file names. Guarded
 * by its graph's monitor.
 */
final class NameTable {
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9.][A-Za-z0-9_.\\\\/>-]*");
  private static final Pattern INTERNAL = Pattern.compile("[A-Za-z0-9_.][A-Za-z0-9_.\\\\/>-]*");

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
    requireMatch(VALID, name);
  }

  /**
   * Names of operations that the runtime itself makes, such as a Send, may start with an underscore
   * as well.
   */
  static void requireValidInternal(String name) {
    requireMatch(INTERNAL, name);
  }

  private static void requireMatch(Pattern pattern, String name) {
    if (!pattern.matcher(name).matches()) {
      throw TributaryException.invalidArgument(
          "'%s' is not a valid name: letters, digits and _ . \\ / > - only, starting with a letter,"
              + " digit or dot",
          name);
    }
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
