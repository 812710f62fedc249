package dev.tributary.session;

import dev.tributary.graph.Graph;
import dev.tributary.testing.NoLeaks;

/** Mistakes in local sessions. */
@NoLeaks
class TypicalMistakesTest extends TypicalMistakesContract {
  @Override
  protected Session open(Graph graph) {
    return Session.local(graph);
  }
}
