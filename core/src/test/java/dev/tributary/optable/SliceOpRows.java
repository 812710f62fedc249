package dev.tributary.optable;

import java.util.List;

final class SliceOpRows {
  private SliceOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
