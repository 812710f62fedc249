package dev.tributary.record;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The host name of this machine. */
final class HostName {
  private HostName() {}

  static String local() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
