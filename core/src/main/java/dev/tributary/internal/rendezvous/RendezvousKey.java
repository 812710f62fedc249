package dev.tributary.internal.rendezvous;

import dev.tributary.error.TributaryException;
import java.util.Locale;

/**
 * Names one value that one device sends to another in a step. Its text is the same on every task:
 * {@code src_device;src_incarnation;dst_device;tensor_name;frame_id:iteration}. Keys are equal if
 * their texts are. A key that comes from another task travels unread; the first part that is asked
 * for is INVALID_ARGUMENT if the text is malformed. Immutable.
 */
public final class RendezvousKey {
  private record Parts(
      String sendDevice,
      long incarnation,
      String recvDevice,
      String tensorName,
      long frameId,
      long iteration) {}

  private final String text;
  private final int hash;

  /**
   * Null until a part is asked for. Threads may read the text at the same time, to the same end.
   */
  private Parts parts;

  private RendezvousKey(String text, Parts parts) {
    this.text = text;
    this.hash = text.hashCode();
    this.parts = parts;
  }

  /**
   * @param incarnation which life of the sending device is meant
   * @param frameId the while loop the value is sent in, 0 for none; unsigned
   */
  public RendezvousKey(
      String sendDevice,
      long incarnation,
      String recvDevice,
      String tensorName,
      long frameId,
      long iteration) {
    this(
        String.format(
            Locale.ROOT,
            "%s;%016x;%s;%s;%s:%d",
            sendDevice,
            incarnation,
            recvDevice,
            tensorName,
            Long.toUnsignedString(frameId),
            iteration),
        new Parts(sendDevice, incarnation, recvDevice, tensorName, frameId, iteration));
  }

  /** A key that another task has sent; its text is read when a part of it is needed. */
  public static RendezvousKey of(String text) {
    return new RendezvousKey(text, null);
  }

  /** Reads a key at once; INVALID_ARGUMENT if it is malformed. */
  public static RendezvousKey parse(String text) {
    return new RendezvousKey(text, read(text));
  }

  /** The key of the same edge in a loop and iteration. */
  public RendezvousKey in(long newFrameId, long newIteration) {
    Parts own = parts();
    String edge = text.substring(0, text.lastIndexOf(';') + 1);
    return new RendezvousKey(
        edge + Long.toUnsignedString(newFrameId) + ":" + newIteration,
        new Parts(
            own.sendDevice,
            own.incarnation,
            own.recvDevice,
            own.tensorName,
            newFrameId,
            newIteration));
  }

  /** INVALID_ARGUMENT if the key is malformed. */
  public void check() {
    parts();
  }

  public String sendDevice() {
    return parts().sendDevice;
  }

  /** The incarnation of the sending device. */
  public long incarnation() {
    return parts().incarnation;
  }

  public String recvDevice() {
    return parts().recvDevice;
  }

  public String tensorName() {
    return parts().tensorName;
  }

  /** The while loop that the value is sent in, 0 for none; unsigned. */
  public long frameId() {
    return parts().frameId;
  }

  public long iteration() {
    return parts().iteration;
  }

  private Parts parts() {
    Parts known = parts;
    if (known == null) {
      known = read(text);
      parts = known;
    }
    return known;
  }

  private static Parts read(String text) {
    int send = partEnd(text, 0);
    int life = partEnd(text, send + 1);
    int recv = partEnd(text, life + 1);
    int name = partEnd(text, recv + 1);
    int frame = text.indexOf(':', name + 1);
    if (name == recv + 1 || frame < 0 || text.indexOf(';', name + 1) >= 0) {
      throw invalid(text);
    }
    try {
      return new Parts(
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

  private static int partEnd(String text, int start) {
    int end = text.indexOf(';', start);
    if (end < 0) {
      throw invalid(text);
    }
    return end;
  }

  private static TributaryException invalid(String text) {
    return TributaryException.invalidArgument("Invalid  rendezvous key: %s", text);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof RendezvousKey key && hash == key.hash && text.equals(key.text);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The text that goes over the wire. */
  @Override
  public String toString() {
    return text;
  }
}
