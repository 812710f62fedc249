package dev.tributary.app.kubernetes;

import dev.tributary.error.TributaryException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes as Kubernetes writes it.
 *
 * @param text such as 512Mi
 */
record Quantity(String text, long bytes) {
  private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,9})(Ki|Mi|Gi|Ti|k|M|G|T)?");
  private static final Map<String, Long> UNITS =
      Map.of(
          "", 1L,
          "Ki", 1L << 10,
          "Mi", 1L << 20,
          "Gi", 1L << 30,
          "Ti", 1L << 40,
          "k", 1_000L,
          "M", 1_000_000L,
          "G", 1_000_000_000L,
          "T", 1_000_000_000_000L);

  static Quantity parse(String option, String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw TributaryException.invalidArgument(
          "%s: '%s' is not an amount of memory such as 8Gi or 512Mi", option, text);
    }
    long unit = UNITS.get(form.group(2) == null ? "" : form.group(2));
    try {
      return new Quantity(text, Math.multiplyExact(Long.parseLong(form.group(1)), unit));
    } catch (ArithmeticException e) {
      throw TributaryException.invalidArgument("%s: %s is too much", option, text);
    }
  }
}
