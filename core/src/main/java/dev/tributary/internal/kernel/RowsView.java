package dev.tributary.internal.kernel;

/**
 * A matrix of rows x classes which may be broadcast: element (i, j) lies {@code i * rowStride + j *
 * columnStride} elements behind {@code address}, so that stride 0 repeats a row or a column.
 */
public record RowsView(long address, long rowStride, long columnStride) {
  /** A dense matrix. */
  public static RowsView dense(long address, long columns) {
    return new RowsView(address, columns, 1);
  }

  /** A matrix of {@code rows} x {@code columns}, each of which is either full or 1 and repeated. */
  public static RowsView broadcast(long address, long rows, long columns) {
    return new RowsView(address, rows == 1 ? 0 : columns, columns == 1 ? 0 : 1);
  }
}
