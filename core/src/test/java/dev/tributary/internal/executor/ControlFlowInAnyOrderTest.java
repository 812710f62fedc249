package dev.tributary.internal.executor;

import dev.tributary.session.SessionOptions;

/** Control flow by {@link StepExecution}, the definition. */
class ControlFlowInAnyOrderTest extends ControlFlowTest {
  @Override
  SessionOptions options() {
    return super.options().withFixedOrder(false);
  }
}
