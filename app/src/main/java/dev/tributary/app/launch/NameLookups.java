package dev.tributary.app.launch;

import java.security.Security;

/**
 * The time for which this process believes that a host name stands for the same address. Java keeps
 * answers for 30 seconds and failures for 10, during which a task that has come back at another
 * address, as pods do, cannot be reached.
 */
final class NameLookups {
  private static final String FOUND = "networkaddress.cache.ttl";
  private static final String FOUND_FLAG = "sun.net.inetaddr.ttl";
  private static final String FAILED = "networkaddress.cache.negative.ttl";
  private static final String FAILED_FLAG = "sun.net.inetaddr.negative.ttl";
  private static final String JAVAS_FAILED = "10";

  private NameLookups() {}

  /** Asks again after 3 seconds, and after a failure after 1, unless somebody has set it. */
  static void repeatSoon() {
    if (Security.getProperty(FOUND) == null && System.getProperty(FOUND_FLAG) == null) {
      Security.setProperty(FOUND, "3");
    }
    if (JAVAS_FAILED.equals(Security.getProperty(FAILED))
        && System.getProperty(FAILED_FLAG) == null) {
      Security.setProperty(FAILED, "1");
    }
  }
}
