package dev.tributary.optable;

import java.util.List;

final class StateOpRows {
  private StateOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
