package dev.tributary.testing;

import dev.tributary.graph.Graph;
import dev.tributary.session.BackendChoice;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;

/**
 * Sessions on the backend that the build puts to the test in this run: the system property {@code
 * tributary.backend}, AUTO by default.
 */
public final class Sessions {
  private static final BackendChoice BACKEND =
      BackendChoice.valueOf(System.getProperty("tributary.backend", "AUTO"));

  private Sessions() {}

  public static Session local(Graph graph) {
    return Session.local(graph, SessionOptions.defaults().withBackend(BACKEND));
  }
}
