package dev.tributary.session;

import dev.tributary.graph.Graph;

class LocalSessionTest extends SessionContract {
  @Override
  protected Session open(Graph graph) {
    return Session.local(graph);
  }

  @Override
  protected String otherDevice() {
    return "/job:localhost/replica:0/task:0/device:CPU:0";
  }
}
