package dev.tributary.internal.kernel.data;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A function of the graph as a stage of a dataset calls it: with an element, and with the values
 * from outside that it uses. The dataset owns it.
 */
final class StageFunction extends OwnedFunction {
  /** Makes the functions of a node's datasets, once for each time the node runs. */
  @FunctionalInterface
  interface Maker {
    /**
     * @param first the first input that is a value from outside
     * @param count the number of these inputs
     */
    StageFunction make(KernelContext call, int first, int count);
  }

  private final CapturedFunction.Retained function;
  private final Tensor[] captures;

  private StageFunction(String stage, CapturedFunction.Retained function, Tensor[] captures) {
    super(stage);
    this.function = function;
    this.captures = captures;
  }

  /** Compiles the function in an attribute of a node. */
  static Maker of(KernelNode node, String attribute) {
    String stage = node.op() + " '" + node.name() + "'";
    CapturedFunction function =
        node.functions()
            .instantiate(
                (AttrValue.Function) node.attributes().find(attribute).orElseThrow(),
                node.device().name());
    return (call, first, count) -> {
      List<Tensor> captures = new ArrayList<>();
      CapturedFunction.Retained retained = function.retain();
      for (int i = first; i < first + count; i++) {
        captures.add(call.input(i).retain());
      }
      return new StageFunction(stage, retained, captures.toArray(Tensor[]::new));
    };
  }

  @Override
  public void call(Cancellation caller, CapturedFunction.Completion done, Tensor... arguments) {
    Tensor[] all = arguments;
    if (captures.length > 0) {
      all = Arrays.copyOf(arguments, arguments.length + captures.length);
      System.arraycopy(captures, 0, all, arguments.length, captures.length);
    }
    function.callHere(all, caller, done);
  }

  @Override
  void release() {
    Elements.close(captures);
    function.close();
  }
}
