package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text of a number of one type. Blanks around it are ignored. A real number may be
 * decimal, a whole hexadecimal one, inf or nan, and nothing but blanks is 0; an integer has no plus
 * sign and must fit its type. Immutable.
 */
public final class NumberText {
  private static final String BLANKS = "[\\t-\\r ]*";
  private static final Pattern REAL =
      Pattern.compile(
          BLANKS
              + "([+-]?)"
              + "(?:(?<decimal>(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?)|0x(?<hex>[0-9a-f]+)|(?<inf>inf)|nan)"
              + BLANKS,
          Pattern.CASE_INSENSITIVE);
  private static final Pattern ALL_BLANK = Pattern.compile("[\\t-\\r ]+");
  private static final Pattern INTEGER = Pattern.compile(BLANKS + "(-?\\d+)" + BLANKS);

  private final DataType type;

  /** For float, double, int32 and int64. */
  public NumberText(DataType type) {
    this.type = type;
    if (type != DataType.FLOAT
        && type != DataType.DOUBLE
        && type != DataType.INT32
        && type != DataType.INT64) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: float, double, int32, int64", type.lowerName());
    }
  }

  /**
   * Puts the number into native memory.
   *
   * @throws NumberFormatException if the text is no number of the type
   */
  public void put(String text, long address) {
    switch (type) {
      case FLOAT:
        Memory.putFloat(address, real(text).floatValue());
        break;
      case DOUBLE:
        Memory.putDouble(address, real(text).doubleValue());
        break;
      case INT32:
        Memory.putInt(address, Integer.parseInt(integer(text)));
        break;
      default:
        Memory.putLong(address, Long.parseLong(integer(text)));
    }
  }

  private Number real(String text) {
    if (ALL_BLANK.matcher(text).matches()) {
      return 0;
    }
    Matcher parts = REAL.matcher(text);
    if (!parts.matches()) {
      throw new NumberFormatException();
    }
    double sign = parts.group(1).equals("-") ? -1 : 1;
    if (parts.group("hex") != null) {
      BigInteger value = new BigInteger(parts.group("hex"), 16);
      return sign * (type == DataType.FLOAT ? value.floatValue() : value.doubleValue());
    }
    if (parts.group("decimal") == null) {
      return parts.group("inf") != null ? sign * Double.POSITIVE_INFINITY : Double.NaN;
    }
    // Read as a double first, a float would be rounded twice.
    String decimal = parts.group("decimal").toLowerCase(Locale.ROOT);
    return sign
        * (type == DataType.FLOAT ? Float.parseFloat(decimal) : Double.parseDouble(decimal));
  }

  private static String integer(String text) {
    Matcher parts = INTEGER.matcher(text);
    if (!parts.matches()) {
      throw new NumberFormatException();
    }
    return parts.group(1);
  }
}
