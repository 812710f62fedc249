package dev.tributary.optable;

import java.util.ArrayList;
import java.util.List;

/** The op table: a row for every registered op, family by family. {@code OpTableTest} fails if an op has none. */
public final class OpTable {
  private OpTable() {}

  public static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.addAll(ArrayOpRows.rows());
    return rows;
  }
}
