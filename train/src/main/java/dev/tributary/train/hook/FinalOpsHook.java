package dev.tributary.train.hook;

import dev.tributary.graph.Operand;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A hook that computes values once, at a good end of training. */
public final class FinalOpsHook implements SessionRunHook {
  private final SessionRunArgs step;
  private final Consumer<List<Tensor>> receiver;

  /**
   * @param receiver given the values, which are closed when it returns
   */
  public FinalOpsHook(List<? extends Operand> finalOps, Consumer<List<Tensor>> receiver) {
    this(finalOps, Map.of(), receiver);
  }

  /**
   * @param feeds owned by the caller, and open until the end
   * @param receiver given the values, which are closed when it returns
   */
  public FinalOpsHook(
      List<? extends Operand> finalOps,
      Map<? extends Operand, Tensor> feeds,
      Consumer<List<Tensor>> receiver) {
    this.step = SessionRunArgs.none().withFetches(finalOps).withFeeds(feeds);
    this.receiver = receiver;
  }

  @Override
  public boolean actsAroundSteps() {
    return false;
  }

  @Override
  public void end(Session session) {
    try (StepResult values = session.run(step.feeds(), step.fetches(), List.of())) {
      receiver.accept(values);
    }
  }
}
