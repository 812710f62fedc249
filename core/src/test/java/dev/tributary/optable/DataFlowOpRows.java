package dev.tributary.optable;

import java.util.List;

final class DataFlowOpRows {
  private DataFlowOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
