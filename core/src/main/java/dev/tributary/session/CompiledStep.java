package dev.tributary.session;

import dev.tributary.executor.ExecutableGraph;
import dev.tributary.plan.StepSignature;
import dev.tributary.rewrite.FoldedConstants;

/** A kind of step, ready to run. It owns the constants that were computed for it. */
record CompiledStep(StepSignature signature, ExecutableGraph graph, FoldedConstants constants)
    implements AutoCloseable {
  @Override
  public void close() {
    constants.close();
  }
}
