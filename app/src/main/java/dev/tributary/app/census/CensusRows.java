package dev.tributary.app.census;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.Examples;
import dev.tributary.train.data.Pair;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * People of the census, column by column.
 *
 * @param features by name, each a float[] or a String[]
 * @param labels 1 for incomes above 50,000 dollars
 */
record CensusRows(Map<String, Object> features, int[] labels) {
  private static final String HIGH = ">50K";
  private static final String LOW = "<=50K";

  /**
   * Reads lines of the UCI files.
   *
   * @param source what errors call them
   */
  static CensusRows parse(String source, List<String> lines) {
    List<String> people = lines.stream().filter(CensusRows::isPerson).toList();
    if (people.isEmpty()) {
      throw TributaryException.invalidArgument("%s has no rows", source);
    }
    List<String> names = CensusColumns.NAMES;
    Map<String, Object> features = new HashMap<>();
    for (String name : names) {
      features.put(
          name,
          CensusColumns.isNumber(name) ? new float[people.size()] : new String[people.size()]);
    }
    int[] labels = new int[people.size()];
    for (int row = 0; row < people.size(); row++) {
      String[] fields = people.get(row).strip().split("\\s*,\\s*");
      if (fields.length != names.size() + 1) {
        throw TributaryException.invalidArgument(
            "%s: wanted %d fields, got %d in '%s'",
            source, names.size() + 1, fields.length, people.get(row));
      }
      for (int column = 0; column < names.size(); column++) {
        set(features.get(names.get(column)), row, fields[column], source, names.get(column));
      }
      labels[row] = label(fields[names.size()], source);
    }
    return new CensusRows(features, labels);
  }

  /** The test file begins with a line about cross validation. */
  private static boolean isPerson(String line) {
    return !line.isBlank() && !line.startsWith("|");
  }

  private static void set(Object column, int row, String field, String source, String name) {
    if (column instanceof String[] words) {
      words[row] = field;
      return;
    }
    try {
      ((float[]) column)[row] = Float.parseFloat(field);
    } catch (NumberFormatException e) {
      throw TributaryException.invalidArgument(
          "%s: %s must be a number, got '%s'", source, name, field);
    }
  }

  /** In the test file, labels end with a full stop. */
  private static int label(String field, String source) {
    return switch (field.endsWith(".") ? field.substring(0, field.length() - 1) : field) {
      case HIGH -> 1;
      case LOW -> 0;
      default ->
          throw TributaryException.invalidArgument(
              "%s: the last field must be %s or %s, got '%s'", source, LOW, HIGH, field);
    };
  }

  int size() {
    return labels.length;
  }

  /** The people and their labels, one by one. */
  Dataset<Pair<Examples, Output>> dataset() {
    return Dataset.zip(Dataset.tensorSlices(features), Dataset.tensorSlices(labels));
  }
}
