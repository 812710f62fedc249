package dev.tributary.train.hook;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** A hook that fails or stops training as soon as a loss is not a number. */
public final class NanTensorHook implements SessionRunHook {
  private final Output loss;
  private final boolean fails;

  private NanTensorHook(Output loss, boolean fails) {
    this.loss = loss;
    this.fails = fails;
  }

  /** Returns a hook that fails the step with INVALID_ARGUMENT. */
  public static NanTensorHook failing(Operand loss) {
    return new NanTensorHook(loss.asOutput(), true);
  }

  /** Returns a hook that stops training. */
  public static NanTensorHook stopping(Operand loss) {
    return new NanTensorHook(loss.asOutput(), false);
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.fetching(loss);
  }

  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    Tensor value = values.results().get(0);
    double number = value.type() == DataType.FLOAT ? value.floatValue() : value.doubleValue();
    if (!Double.isNaN(number)) {
      return;
    }
    if (fails) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "the loss " + loss.name() + " is NaN: training diverged");
    }
    context.requestStop();
  }
}
