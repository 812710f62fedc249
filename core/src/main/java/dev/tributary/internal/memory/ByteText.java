package dev.tributary.internal.memory;

import java.util.Locale;

/** Formats numbers of bytes for messages and logs. */
public final class ByteText {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int STEP = 1024;

  private ByteText() {}

  /** {@code 100 B} or {@code 1.5 GiB}. */
  public static String of(long bytes) {
    double amount = bytes;
    int unit = 0;
    while (amount >= STEP && unit < UNITS.length - 1) {
      amount /= STEP;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", amount, UNITS[unit]);
  }
}
