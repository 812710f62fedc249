package dev.tributary.rendezvous;

import dev.tributary.error.TributaryException;
import java.util.Locale;

/**
 * Names one value that one device sends to another in a step. Its text is the same on every task:
 * {@code src_device;src_incarnation;dst_device;tensor_name;frame_id:iteration}.
 *
 * @param incarnation which life of the sending device is meant
 * @param frameId the while loop the value is sent in, 0 for none; unsigned
 */
public record RendezvousKey(
    String sendDevice,
    long incarnation,
    String recvDevice,
    String tensorName,
    long frameId,
    long iteration) {

  public static RendezvousKey parse(String text) {
    String[] parts = text.split(";", -1);
    int colon = parts.length == 5 ? parts[4].indexOf(':') : -1;
    if (colon < 0 || parts[3].isEmpty()) {
      throw invalid(text);
    }
    try {
      return new RendezvousKey(
          parts[0],
          Long.parseUnsignedLong(parts[1], 16),
          parts[2],
          parts[3],
          Long.parseUnsignedLong(parts[4].substring(0, colon)),
          Long.parseLong(parts[4].substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw invalid(text);
    }
  }

  /** The receiving device of a key, without a look at the rest. */
  public static String recvDeviceOf(String text) {
    int first = text.indexOf(';');
    int start = first < 0 ? -1 : text.indexOf(';', first + 1);
    int end = start < 0 ? -1 : text.indexOf(';', start + 1);
    if (end < 0) {
      throw invalid(text);
    }
    return text.substring(start + 1, end);
  }

  @Override
  public String toString() {
    return prefix(sendDevice, incarnation, recvDevice, tensorName)
        + Long.toUnsignedString(frameId)
        + ":"
        + iteration;
  }

  /** What the keys of one edge have in common, whichever loop and iteration it runs in. */
  public static String prefix(
      String sendDevice, long incarnation, String recvDevice, String tensorName) {
    return sendDevice
        + ";"
        + String.format(Locale.ROOT, "%016x", incarnation)
        + ";"
        + recvDevice
        + ";"
        + tensorName
        + ";";
  }

  private static TributaryException invalid(String text) {
    return TributaryException.invalidArgument("Invalid  rendezvous key: %s", text);
  }
}
