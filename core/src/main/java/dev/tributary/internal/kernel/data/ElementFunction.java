package dev.tributary.internal.kernel.data;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.tensor.Tensor;

/**
 * The computation of a stage on its elements: a function of the graph, or one of the runtime. The
 * dataset owns it; whoever calls it after the dataset may have ended {@link #enter}s before. Safe
 * for use by many threads.
 */
interface ElementFunction {
  /** The name of the stage, for errors. */
  String stage();

  /** Begins a call. The arguments stay the caller's, until the call has ended. */
  void call(Cancellation caller, CapturedFunction.Completion done, Tensor... arguments);

  /** Keeps the function usable after its dataset, until {@link #leave}. */
  void enter();

  void leave();
}
