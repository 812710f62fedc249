package dev.tributary.optable;

import java.util.List;

final class FlowOpRows {
  private FlowOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
