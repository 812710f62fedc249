package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Keeps names unique the way TensorFlow's Python client does: the second {@code a} is {@code a_1}, and names that differ only in
 * case count as equal, since they would clash as file names. Guarded by its graph's monitor.
 */
final class NameTable {
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9.][A-Za-z0-9_.\\\\/>-]*");

  private final Map<String, Integer> used = new HashMap<>();

  /** A free name: {@code wanted}, or {@code wanted} with the lowest free number. */
  String unique(String wanted) {
    if (!VALID.matcher(wanted).matches()) {
      throw TributaryException.invalidArgument(
          "'%s' is not a valid name: letters, digits and _ . \\ / > - only, starting with a letter, digit or dot", wanted);
    }
    String key = wanted.toLowerCase(Locale.ROOT);
    int next = used.getOrDefault(key, 0);
    used.put(key, next + 1);
    if (next == 0) {
      return wanted;
    }
    String candidate = key + "_" + next;
    while (used.containsKey(candidate)) {
      next++;
      candidate = key + "_" + next;
    }
    used.put(key, next + 1);
    used.put(candidate, 1);
    return wanted + "_" + next;
  }

  /** Takes a name as it is, as an imported node brings it. */
  void reserve(String name) {
    used.merge(name.toLowerCase(Locale.ROOT), 1, Math::max);
  }
}
