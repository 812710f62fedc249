package dev.tributary.optable;

import java.util.List;

final class IndexOpRows {
  private IndexOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
