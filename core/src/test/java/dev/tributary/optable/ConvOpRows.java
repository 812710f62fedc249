package dev.tributary.optable;

import java.util.List;

final class ConvOpRows {
  private ConvOpRows() {}

  static List<OpRow> rows() {
    return List.of();
  }
}
