package dev.tributary.graph;

import dev.tributary.error.TributaryException;

/**
 * The name of a node's input, or of a value that a client feeds or fetches: {@code
 * operation:index}, {@code operation} for the first output, {@code ^operation} for the operation
 * itself.
 *
 * @param index the number of the output, or {@link #CONTROL}
 */
public record TensorName(String operation, int index) {
  /** Stands for the operation as a whole. */
  public static final int CONTROL = -1;

  private static final int MOST_DIGITS = 9;

  /**
   * Reads any of the three forms. A number has no leading zeros, so that a tensor has one name
   * only.
   */
  public static TensorName parse(String text) {
    if (text.startsWith("^")) {
      return checked(text.substring(1), CONTROL, text);
    }
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return checked(text, 0, text);
    }
    return checked(text.substring(0, colon), number(text.substring(colon + 1), text), text);
  }

  public boolean isControl() {
    return index == CONTROL;
  }

  @Override
  public String toString() {
    return isControl() ? "^" + operation : operation + ":" + index;
  }

  private static TensorName checked(String operation, int index, String text) {
    if (operation.isEmpty() || operation.indexOf(':') >= 0 || operation.indexOf('^') >= 0) {
      throw malformed(text);
    }
    return new TensorName(operation, index);
  }

  private static int number(String digits, String text) {
    boolean plain =
        !digits.isEmpty()
            && digits.length() <= MOST_DIGITS
            && (digits.length() == 1 || digits.charAt(0) != '0');
    if (!plain || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw malformed(text);
    }
    return Integer.parseInt(digits);
  }

  private static TributaryException malformed(String text) {
    return TributaryException.invalidArgument(
        "'%s' is not the name of a tensor, wanted operation, operation:index or ^operation", text);
  }
}
