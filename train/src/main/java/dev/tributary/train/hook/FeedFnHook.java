package dev.tributary.train.hook;

import dev.tributary.graph.Operand;
import dev.tributary.tensor.Tensor;
import java.util.Map;
import java.util.function.Supplier;

/** A hook that feeds each step the tensors that a function returns, and closes them after it. */
public final class FeedFnHook implements SessionRunHook {
  private final Supplier<? extends Map<? extends Operand, Tensor>> feedFn;

  public FeedFnHook(Supplier<? extends Map<? extends Operand, Tensor>> feedFn) {
    this.feedFn = feedFn;
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.none().withFeeds(feedFn.get());
  }
}
