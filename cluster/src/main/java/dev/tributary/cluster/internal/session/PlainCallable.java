package dev.tributary.cluster.internal.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.session.RunOptions;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** A callable at a master that knows no callables: ordinary steps. Safe for use by many threads. */
final class PlainCallable implements StepCallable {
  private final RemoteSteps steps;
  private final StepSignature signature;
  private volatile boolean closed;

  PlainCallable(RemoteSteps steps, StepSignature signature) {
    this.steps = steps;
    this.signature = signature;
  }

  @Override
  public StepResult run(RunOptions options, Tensor... feeds) {
    if (closed) {
      throw new TributaryException(ErrorCode.CANCELLED, "the callable is closed");
    }
    return steps.start(signature, List.of(feeds), options).await();
  }

  @Override
  public void close() {
    closed = true;
  }
}
