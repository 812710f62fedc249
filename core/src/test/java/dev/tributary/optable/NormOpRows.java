package dev.tributary.optable;

import java.util.List;

final class NormOpRows {
  private NormOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
