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
    int send = partEnd(text, 0);
    int life = partEnd(text, send + 1);
    int recv = partEnd(text, life + 1);
    int name = partEnd(text, recv + 1);
    int frame = text.indexOf(':', name + 1);
    if (name == recv + 1 || frame < 0 || text.indexOf(';', name + 1) >= 0) {
      throw invalid(text);
    }
    try {
      return new RendezvousKey(
          text.substring(0, send),
          Long.parseUnsignedLong(text, send + 1, life, 16),
          text.substring(life + 1, recv),
          text.substring(recv + 1, name),
          Long.parseUnsignedLong(text, name + 1, frame, 10),
          Long.parseLong(text, frame + 1, text.length(), 10));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw invalid(text);
    }
  }

  /** The sending device of a key, without a look at the rest. */
  public static String sendDeviceOf(String text) {
    return text.substring(0, partEnd(text, 0));
  }

  /** The receiving device of a key, without a look at the rest. */
  public static String recvDeviceOf(String text) {
    int start = partEnd(text, partEnd(text, 0) + 1) + 1;
    return text.substring(start, partEnd(text, start));
  }

  private static int partEnd(String text, int start) {
    int end = text.indexOf(';', start);
    if (end < 0) {
      throw invalid(text);
    }
    return end;
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
