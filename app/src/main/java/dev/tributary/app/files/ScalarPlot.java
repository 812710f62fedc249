package dev.tributary.app.files;

import dev.tributary.internal.scalars.ScalarPoint;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Draws numbers over their steps with characters, each point where it belongs. Immutable. */
record ScalarPlot(int width, int height) {
  private static final int LABEL = 11;

  String draw(List<ScalarPoint> points) {
    List<ScalarPoint> finite = points.stream().filter(p -> Double.isFinite(p.value())).toList();
    if (finite.isEmpty()) {
      return "  (no finite value)" + System.lineSeparator();
    }
    double low = finite.stream().mapToDouble(ScalarPoint::value).min().orElseThrow();
    double high = finite.stream().mapToDouble(ScalarPoint::value).max().orElseThrow();
    long first = finite.stream().mapToLong(ScalarPoint::step).min().orElseThrow();
    long last = finite.stream().mapToLong(ScalarPoint::step).max().orElseThrow();
    char[][] canvas = new char[height][width];
    for (char[] row : canvas) {
      Arrays.fill(row, ' ');
    }
    for (ScalarPoint point : finite) {
      int column = scaled(point.step() - first, last - first, width);
      int row = scaled(point.value() - low, high - low, height);
      canvas[height - 1 - row][column] = '*';
    }
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < height; row++) {
      double value = height == 1 ? high : high - (high - low) * row / (height - 1);
      boolean isLabelled = row == 0 || row == height - 1 || row == height / 2;
      text.append(isLabelled ? label(value) : " ".repeat(LABEL)).append(" |");
      text.append(new String(canvas[row]).stripTrailing()).append(System.lineSeparator());
    }
    String from = Long.toString(first);
    String to = Long.toString(last);
    String gap = " ".repeat(Math.max(1, width - from.length() - to.length()));
    return text.append(" ".repeat(LABEL))
        .append(" +")
        .append("-".repeat(width))
        .append(System.lineSeparator())
        .append(" ".repeat(LABEL + 2))
        .append(first == last ? from : from + gap + to)
        .append(System.lineSeparator())
        .toString();
  }

  /** The cell of {@code cells} that a part of a whole falls into. */
  private static int scaled(double part, double whole, int cells) {
    return whole == 0 ? 0 : (int) Math.min(cells - 1, Math.round(part / whole * (cells - 1)));
  }

  private static String label(double value) {
    return String.format(Locale.ROOT, "%" + LABEL + ".4g", value);
  }
}
