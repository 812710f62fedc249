package dev.tributary.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The measurement of a workload, one number a round.
 *
 * @param parameters numbers and strings that tell the workload's figures apart, in order
 */
record Figure(
    String workload, Map<String, Object> parameters, String unit, Better better, double... rounds) {
  /** The direction in which a number is better. */
  enum Better {
    MIN,
    MAX
  }

  /** The form in which the driver takes it. */
  String toJson() {
    String values =
        parameters.entrySet().stream()
            .map(e -> '"' + e.getKey() + "\":" + value(e.getValue()))
            .collect(Collectors.joining(","));
    String numbers =
        Arrays.stream(rounds)
            .mapToObj(d -> String.format(Locale.ROOT, "%.6g", d))
            .collect(Collectors.joining(","));
    return String.format(
        "{\"bench\":\"%s\",\"params\":{%s},\"unit\":\"%s\",\"better\":\"%s\",\"rounds\":[%s]}",
        workload, values, unit, better.name().toLowerCase(Locale.ROOT), numbers);
  }

  private static String value(Object value) {
    return value instanceof Number ? value.toString() : "\"" + value + '"';
  }
}
