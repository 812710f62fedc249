package dev.tributary.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of what the driver prints: a peer's figure on a workload, over all its rounds.
 *
 * @param parameters as they stand in the line, strings without their quotes
 */
record ResultLine(
    String peer,
    String workload,
    Map<String, String> parameters,
    String unit,
    double median,
    int rounds) {
  private static final String START = "{\"peer\"";
  private static final Pattern FORM =
      Pattern.compile(
          "\\{\"peer\": *\"([^\"]*)\", *\"bench\": *\"([^\"]*)\", *\"params\": *\\{([^}]*)\\},"
              + " *\"unit\": *\"([^\"]*)\", *\"median\": *([-+.0-9eE]+), *\"best\": *[^,]*,"
              + " *\"rounds\": *\\[([^\\]]*)\\]\\}");
  private static final Pattern PARAMETER = Pattern.compile("\"([^\"]*)\": *\"?([^\",]*)\"?");

  /**
   * Returns whether a line of the driver's output holds a result: tools that it starts print there
   * too.
   */
  static boolean isIn(String line) {
    return line.contains(START);
  }

  /** Reads a line; what stands in front of the result is left out. */
  static ResultLine parse(String line) {
    Matcher fields = FORM.matcher(line.substring(Math.max(0, line.indexOf(START))).strip());
    if (!fields.matches()) {
      throw new IllegalArgumentException("not a result line of the driver: " + line);
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    for (Matcher p = PARAMETER.matcher(fields.group(3)); p.find(); ) {
      parameters.put(p.group(1), p.group(2));
    }
    return new ResultLine(
        fields.group(1),
        fields.group(2),
        parameters,
        fields.group(4),
        Double.parseDouble(fields.group(5)),
        (int) Arrays.stream(fields.group(6).split(",")).filter(r -> !r.isBlank()).count());
  }

  /** The name of the measured quantity, the same for all peers. */
  Subject subject() {
    Map<String, String> common = new LinkedHashMap<>(parameters);
    // How many kernels a peer ran is a result of its own, not a part of the question.
    common.remove("executed");
    return new Subject(workload, common, unit);
  }

  /** A row of the table. */
  record Subject(String workload, Map<String, String> parameters, String unit) {
    /** Rates are better when they are larger, times when they are smaller. */
    boolean moreIsBetter() {
      return unit.endsWith("/s");
    }
  }
}
