package dev.tributary.session;

import dev.tributary.error.TributaryException;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds the factory that opens sessions at a target. */
final class SessionTargets {
  private static final String LOCAL = "local";

  private SessionTargets() {}

  static boolean isLocal(String target) {
    return target.isEmpty() || target.equals(LOCAL);
  }

  static SessionFactory factory(String target) {
    TreeSet<String> known = new TreeSet<>();
    known.add(LOCAL);
    for (SessionFactory factory : ServiceLoader.load(SessionFactory.class)) {
      if (target.startsWith(factory.scheme() + "://")) {
        return factory;
      }
      known.add(factory.scheme() + "://...");
    }
    throw TributaryException.notFound(
        "no session can be opened at target '%s'; known targets are %s", target, known);
  }
}
