package dev.tributary.internal.kernel.flow;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Calls a function of a program in this process, on the thread of the step. */
public final class HostCallKernel implements Kernel {
  private final String token;
  private final List<DataType> types;

  public HostCallKernel(KernelNode node) {
    this.token = node.attributes().string("token");
    this.types = node.attributes().types("Tout");
  }

  @Override
  public void compute(KernelContext context) {
    List<Tensor> arguments = new ArrayList<>();
    for (int i = 0; i < context.inputCount(); i++) {
      arguments.add(context.input(i));
    }
    List<Tensor> results = called(HostFunctions.lookup(token), arguments);
    try {
      requireTypes(results);
    } catch (RuntimeException e) {
      results.forEach(Tensor::close);
      throw e;
    }
    for (int i = 0; i < results.size(); i++) {
      context.setOutput(i, results.get(i));
    }
  }

  private static List<Tensor> called(HostFunctions.HostFunction function, List<Tensor> arguments) {
    try {
      return function.call(arguments);
    } catch (TributaryException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new TributaryException(ErrorCode.UNKNOWN, "the program's function failed: " + e, e);
    }
  }

  private void requireTypes(List<Tensor> results) {
    List<DataType> given = results.stream().map(Tensor::type).toList();
    if (!given.equals(types)) {
      throw TributaryException.invalidArgument(
          "the program's function returned values of types %s and not of %s, as it was to",
          given, types);
    }
  }
}
