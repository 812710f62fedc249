package dev.tributary.train.data;

import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The elements of datasets as text, for tests: components with spaces between them. */
final class Rows {
  private Rows() {}

  static List<String> of(Dataset<?> dataset) {
    List<String> rows = new ArrayList<>();
    try (Iteration pass = dataset.iterate()) {
      for (Elements elements : pass) {
        rows.add(elements.stream().map(Rows::text).collect(Collectors.joining(" ")));
      }
    }
    return rows;
  }

  /** A scalar as it is, other values in rows. */
  static String text(Tensor value) {
    if (value.rank() == 0) {
      return values(value).get(0);
    }
    if (value.rank() == 1) {
      return values(value).toString();
    }
    List<String> all = values(value);
    int width = all.size() / (int) Math.max(1, value.shape().size(0));
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < value.shape().size(0); i++) {
      rows.add(all.subList(i * width, (i + 1) * width).toString());
    }
    return rows.toString();
  }

  private static List<String> values(Tensor value) {
    return switch (value.type()) {
      case FLOAT -> boxed(value.toFloats());
      case INT32 -> Arrays.stream(value.toInts()).mapToObj(Integer::toString).toList();
      case INT64 -> Arrays.stream(value.toLongs()).mapToObj(Long::toString).toList();
      case STRING -> List.of(value.toStrings());
      case BOOL -> booleans(value.toBooleans());
      default -> throw new IllegalArgumentException("no text for " + value.type());
    };
  }

  private static List<String> boxed(float[] values) {
    List<String> texts = new ArrayList<>();
    for (float value : values) {
      texts.add(Float.toString(value));
    }
    return texts;
  }

  private static List<String> booleans(boolean[] values) {
    List<String> texts = new ArrayList<>();
    for (boolean value : values) {
      texts.add(Boolean.toString(value));
    }
    return texts;
  }
}
