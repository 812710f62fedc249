package dev.tributary.train.hook;

import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;

/** Reads a global step as it is now. */
final class GlobalSteps {
  private GlobalSteps() {}

  static long read(Session session, Variable globalStep) {
    try (StepResult result = session.runner().fetch(globalStep.value()).run()) {
      return result.get(0).getIndex(0);
    }
  }
}
