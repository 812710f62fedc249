package dev.tributary.interop;

/**
 * Stock's native library has no gradient for an op, though its Python library may have one: there
 * is nothing to compare with, so callers skip.
 */
final class NoStockGradientException extends StockException {
  private static final long serialVersionUID = 1L;
  private static final String START = "No gradient defined for op: ";

  private NoStockGradientException(StockException report) {
    super(report.code(), report.getMessage());
  }

  /** This exception if the report says that a gradient is missing, else the report itself. */
  static StockException orElse(StockException report) {
    return report.getMessage().startsWith(START) ? new NoStockGradientException(report) : report;
  }

  /** The op (not the node) without a gradient. */
  String op() {
    return getMessage().substring(START.length()).split("[. ]", 2)[0];
  }
}
