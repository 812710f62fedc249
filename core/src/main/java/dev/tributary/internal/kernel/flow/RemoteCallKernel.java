package dev.tributary.internal.kernel.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.kernel.FunctionRuntime;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls a function on a device whose name is known only when the step runs. The device must be one
 * of this process.
 */
public final class RemoteCallKernel implements AsyncKernel {
  private final AttrValue.Function function;
  private final FunctionRuntime runtime;
  private final String ownDevice;
  private final List<DataType> resultTypes;
  private final Map<String, CapturedFunction> byTarget = new ConcurrentHashMap<>();

  public RemoteCallKernel(KernelNode node) {
    this.function = (AttrValue.Function) node.attributes().find("f").orElseThrow();
    this.runtime = node.functions();
    this.ownDevice = node.device().name();
    this.resultTypes = node.outputTypes();
  }

  @Override
  public void computeAsync(KernelContext context, Completion done) {
    Tensor target = context.input(0);
    if (target.rank() != 0) {
      throw TributaryException.invalidArgument(
          "the target must be a scalar, but it has shape %s", target.shape());
    }
    String device = target.stringValue().isEmpty() ? ownDevice : target.stringValue();
    CapturedFunction called =
        byTarget.computeIfAbsent(device, name -> runtime.instantiate(function, name));
    called.requireResults(resultTypes);
    Tensor[] arguments = new Tensor[context.inputCount() - 1];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = context.input(i + 1);
    }
    called.call(
        arguments,
        context.step().cancellation(),
        new CapturedFunction.Completion() {
          @Override
          public void succeed(Tensor[] results) {
            for (int i = 0; i < results.length; i++) {
              context.setOutput(i, results[i]);
            }
            done.succeed();
          }

          @Override
          public void fail(RuntimeException failure) {
            done.fail(failure);
          }
        });
  }
}
