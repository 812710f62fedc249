package dev.tributary.optable;

import java.util.List;

final class StringOpRows {
  private StringOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
