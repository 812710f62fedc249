package dev.tributary.bench;

import dev.tributary.bench.ResultLine.Subject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A goal of some rows of the course: a bound of a ratio, or of the figure itself.
 *
 * @param system a path of the course, or {@code jdk25}
 * @param parameters those that a row must have; it may have others
 * @param reference the system of ours that the ratio is to; stock TensorFlow if empty
 * @param byItself whether the figure is compared with the bound, and not a ratio
 */
record CourseGoal(
    String system,
    String workload,
    Map<String, String> parameters,
    String unit,
    boolean atLeast,
    double bound,
    Optional<String> reference,
    boolean byItself) {
  private static final Pattern BOUND =
      Pattern.compile("at (least|most) ([0-9.]+)(?: of (\\w+)|( by itself))?");

  /** The goals that the course has, from the file {@code goals.txt} beside this class. */
  static List<CourseGoal> all() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                CourseGoal.class.getResourceAsStream("goals.txt"), StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("#")).map(CourseGoal::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a line of five cells with bars between them. */
  static CourseGoal parse(String line) {
    String[] cells = Arrays.stream(line.split("\\|")).map(String::strip).toArray(String[]::new);
    Matcher bound = BOUND.matcher(cells.length == 5 ? cells[4] : "");
    if (!bound.matches()) {
      throw new IllegalArgumentException("not a goal: " + line);
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String parameter : cells[2].isEmpty() ? new String[0] : cells[2].split(", *")) {
      String[] pair = parameter.split("=", 2);
      parameters.put(pair[0], pair[1]);
    }
    return new CourseGoal(
        cells[0],
        cells[1],
        parameters,
        cells[3],
        bound.group(1).equals("least"),
        Double.parseDouble(bound.group(2)),
        Optional.ofNullable(bound.group(3)),
        bound.group(4) != null);
  }

  boolean isFor(Subject subject) {
    return workload.equals(subject.workload())
        && unit.equals(subject.unit())
        && subject.parameters().entrySet().containsAll(parameters.entrySet());
  }

  boolean isReachedBy(double ratio) {
    return atLeast ? ratio >= bound : ratio <= bound;
  }

  /** The bound as a table shows it. */
  String words() {
    return "at %s %s%s%s"
        .formatted(
            atLeast ? "least" : "most",
            // Without the zeros that a fixed number of digits would show.
            Double.toString(bound).replaceAll("\\.0$", ""),
            byItself ? " by itself" : " x",
            reference.map(other -> " of " + other).orElse(""));
  }
}
