package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Tensor;
import java.util.StringJoiner;

/** Fails the step if its first input is false, and shows the first elements of the others. */
public final class Assert implements Kernel {
  private final long summarize;

  public Assert(KernelNode node) {
    summarize = node.attributes().integer("summarize");
  }

  @Override
  public void compute(KernelContext context) {
    Tensor condition = context.input(0);
    if (condition.rank() != 0) {
      throw TributaryException.invalidArgument("In[0] should be a scalar: %s", condition.shape());
    }
    if (!condition.booleanValue()) {
      StringJoiner data = new StringJoiner(" ");
      for (int i = 1; i < context.inputCount(); i++) {
        data.add("[" + TensorSummary.of(context.input(i), summarize) + "]");
      }
      throw TributaryException.invalidArgument("assertion failed: %s", data);
    }
  }
}
