package dev.tributary.train.hook;

import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.variable.GlobalStep;
import java.util.List;
import java.util.Optional;

/**
 * The global step as hooks read it, which is always 0 in a graph without one. Immutable.
 *
 * @param variable the global step, if the graph has one
 */
record StepReader(Optional<Variable> variable) {
  boolean isPresent() {
    return variable.isPresent();
  }

  /** Returns what a hook adds to a step to know the global step. */
  List<Output> fetches() {
    return variable.map(step -> List.of(step.value())).orElse(List.of());
  }

  /** Returns the fetched step, which may be from before the update of the step that was run. */
  long fetched(SessionRunValues values) {
    return isPresent() ? values.results().get(0).getIndex(0) : 0;
  }

  /** Reads the current step. */
  long read(Session session) {
    return variable.map(step -> GlobalStep.read(session, step)).orElse(0L);
  }

  /** Returns whether it is time to act at a step; without a global step, only time counts. */
  boolean isDue(StepTimer timer, long step) {
    return isPresent() ? timer.shouldTrigger(step) : timer.isTime();
  }
}
