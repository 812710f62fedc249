package dev.tributary.interop;

import dev.tributary.graph.Graph;
import dev.tributary.session.BackendChoice;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;

/**
 * Sessions on the backend that the build compares with stock TensorFlow in this run: the system
 * property {@code tributary.backend}.
 */
final class Sessions {
  private static final BackendChoice BACKEND =
      BackendChoice.valueOf(System.getProperty("tributary.backend", "AUTO"));

  private Sessions() {}

  static Session local(Graph graph) {
    return Session.local(graph, SessionOptions.defaults().withBackend(BACKEND));
  }
}
