package dev.tributary.optable;

import java.util.List;

final class LayoutOpRows {
  private LayoutOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
