package dev.tributary.optable;

import java.util.List;

final class RandomOpRows {
  private RandomOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
