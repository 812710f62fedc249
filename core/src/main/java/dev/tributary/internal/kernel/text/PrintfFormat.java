package dev.tributary.internal.kernel.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * One conversion of C's {@code printf}, digit for digit: Java's own formats round the shortest
 * decimal of a number, where C rounds its exact value. Immutable.
 *
 * @param flag one of {@code "+- 0#"} or empty
 * @param width the least number of characters; below 1 means none
 * @param precision digits after the point (of all digits, for the shortest notation); below 0 means
 *     6
 */
record PrintfFormat(String flag, int width, int precision) {
  /** The notation of a real number. */
  enum Notation {
    /** {@code %f} */
    FIXED,
    /** {@code %e} */
    SCIENTIFIC,
    /** {@code %g} */
    SHORTEST
  }

  /** Digits without a point, and the power of ten of the first. */
  private record Digits(String text, int exponent) {}

  private static final int DEFAULT_PRECISION = 6;

  static PrintfFormat ofPrecision(int precision) {
    return new PrintfFormat("", 0, precision);
  }

  /** {@code %d} */
  String signed(long value) {
    String text = Long.toString(value);
    return value < 0 ? padded("-", text.substring(1), true) : padded(plus(), text, true);
  }

  /** {@code %u}, which knows no sign. */
  String unsigned(long value) {
    return padded("", Long.toUnsignedString(value), true);
  }

  /** {@code %s} */
  String text(String value) {
    return padded("", value, false);
  }

  String real(double value, Notation notation) {
    boolean negative = Double.doubleToRawLongBits(value) < 0;
    String sign = negative ? "-" : plus();
    if (!Double.isFinite(value)) {
      return padded(sign, Double.isNaN(value) ? "nan" : "inf", false);
    }
    BigDecimal magnitude = new BigDecimal(value).abs();
    int digits = precision < 0 ? DEFAULT_PRECISION : precision;
    switch (notation) {
      case FIXED:
        return padded(sign, fixed(magnitude, digits), true);
      case SCIENTIFIC:
        return padded(sign, scientific(magnitude, digits), true);
      default:
        return padded(sign, shortest(magnitude, Math.max(1, digits)), true);
    }
  }

  private String fixed(BigDecimal magnitude, int fraction) {
    String text = magnitude.setScale(fraction, RoundingMode.HALF_EVEN).toPlainString();
    return fraction == 0 && flag.equals("#") ? text + "." : text;
  }

  private String scientific(BigDecimal magnitude, int fraction) {
    Digits digits = digits(magnitude, fraction + 1);
    String point = fraction > 0 || flag.equals("#") ? "." : "";
    return digits.text().charAt(0)
        + point
        + digits.text().substring(1)
        + exponent(digits.exponent());
  }

  private String shortest(BigDecimal magnitude, int significant) {
    int exponent = digits(magnitude, significant).exponent();
    if (exponent >= -4 && exponent < significant) {
      return withoutTrailingZeros(fixed(magnitude, significant - 1 - exponent));
    }
    String text = scientific(magnitude, significant - 1);
    int e = text.indexOf('e');
    return withoutTrailingZeros(text.substring(0, e)) + text.substring(e);
  }

  private String withoutTrailingZeros(String text) {
    if (flag.equals("#") || text.indexOf('.') < 0) {
      return text;
    }
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
  }

  private static Digits digits(BigDecimal magnitude, int count) {
    if (magnitude.signum() == 0) {
      return new Digits("0".repeat(count), 0);
    }
    BigDecimal rounded = magnitude.round(new MathContext(count, RoundingMode.HALF_EVEN));
    String text = rounded.unscaledValue().toString();
    int exponent = rounded.precision() - rounded.scale() - 1;
    return new Digits(text + "0".repeat(count - text.length()), exponent);
  }

  private static String exponent(int value) {
    String digits = Integer.toString(Math.abs(value));
    return (value < 0 ? "e-" : "e+") + (digits.length() < 2 ? "0" : "") + digits;
  }

  private String plus() {
    return flag.equals("+") || flag.equals(" ") ? flag : "";
  }

  private String padded(String sign, String body, boolean isNumber) {
    int missing = Math.max(0, width - sign.length() - body.length());
    if (flag.equals("-")) {
      return sign + body + " ".repeat(missing);
    }
    return flag.equals("0") && isNumber
        ? sign + "0".repeat(missing) + body
        : " ".repeat(missing) + sign + body;
  }
}
