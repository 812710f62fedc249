package dev.tributary.cluster.spec;

import dev.tributary.error.TributaryException;
import java.util.Comparator;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a listening port: {@code wk0.example.com:2222}, {@code [::1]:2222}.
 *
 * @param host a name or an address; IPv6 addresses without brackets
 * @param port 0 if any free one will do
 */
public record HostAndPort(String host, int port) implements Comparable<HostAndPort> {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([A-Za-z0-9._-]+)):([0-9]{1,5})");
  private static final int LAST_PORT = 65535;
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "::1");

  public static HostAndPort parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || Integer.parseInt(form.group(3)) > LAST_PORT) {
      throw TributaryException.invalidArgument(
          "malformed address '%s', wanted host:port with a port up to %d", text, LAST_PORT);
    }
    return new HostAndPort(
        form.group(1) != null ? form.group(1) : form.group(2), Integer.parseInt(form.group(3)));
  }

  public HostAndPort withPort(int other) {
    return new HostAndPort(host, other);
  }

  /**
   * Returns whether only this machine can reach it. Decided by the text alone: no name is looked
   * up.
   */
  public boolean isLoopback() {
    return LOOPBACK_NAMES.contains(host) || host.matches("127(\\.[0-9]{1,3}){3}");
  }

  @Override
  public int compareTo(HostAndPort other) {
    return Comparator.comparing(HostAndPort::host)
        .thenComparingInt(HostAndPort::port)
        .compare(this, other);
  }

  // As a record has them, which are made by the first call and take it some milliseconds.

  @Override
  public boolean equals(Object other) {
    return other instanceof HostAndPort that && port == that.port && host.equals(that.host);
  }

  @Override
  public int hashCode() {
    return 31 * host.hashCode() + port;
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
