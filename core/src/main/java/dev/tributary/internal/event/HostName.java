package dev.tributary.internal.event;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The host name of this machine. */
public final class HostName {
  private HostName() {}

  public static String local() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
