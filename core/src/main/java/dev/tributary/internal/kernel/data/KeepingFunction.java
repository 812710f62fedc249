package dev.tributary.internal.kernel.data;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/** A function whose results come behind the arguments it was called with. */
record KeepingFunction(StageFunction function) implements ElementFunction {
  @Override
  public String stage() {
    return function.stage();
  }

  @Override
  public void call(Cancellation caller, CapturedFunction.Completion done, Tensor... arguments) {
    Tensor[] kept = Elements.retain(List.of(arguments));
    function.call(
        caller,
        new CapturedFunction.Completion() {
          @Override
          public void succeed(Tensor[] results) {
            Tensor[] all = Arrays.copyOf(kept, kept.length + results.length);
            System.arraycopy(results, 0, all, kept.length, results.length);
            done.succeed(all);
          }

          @Override
          public void fail(RuntimeException failure) {
            Elements.close(kept);
            done.fail(failure);
          }
        },
        arguments);
  }

  @Override
  public void enter() {
    function.enter();
  }

  @Override
  public void leave() {
    function.leave();
  }
}
