package dev.tributary.app.files;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as their widest cell. Confined to one thread. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  /** A table without rows and titles. */
  public TextTable() {}

  TextTable(String... titles) {
    rows.add(titles);
  }

  public void add(String... cells) {
    rows.add(cells);
  }

  @Override
  public String toString() {
    int[] widths = new int[rows.isEmpty() ? 0 : rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length())).append(GAP);
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }
}
