package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.internal.kernel.math.Functions;
import dev.tributary.internal.kernel.math.Trigonometry;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The kernel of _UnaryOpsComposition: functions of one number, one after the other. */
public final class FunctionChain implements Kernel {
  private static final Map<String, UnaryLoop> FUNCTIONS =
      Map.ofEntries(
          Map.entry("Abs", Functions.ABSOLUTE),
          Map.entry("Acos", Trigonometry.ACOS),
          Map.entry("Acosh", Trigonometry.ACOSH),
          Map.entry("Asin", Trigonometry.ASIN),
          Map.entry("Asinh", Trigonometry.ASINH),
          Map.entry("Atan", Trigonometry.ATAN),
          Map.entry("Atanh", Trigonometry.ATANH),
          Map.entry("Ceil", Functions.CEIL),
          Map.entry("Cos", Functions.COS),
          Map.entry("Cosh", Trigonometry.COSH),
          Map.entry("Elu", ActivationLoops.ELU),
          Map.entry("Exp", Functions.EXP),
          Map.entry("Expm1", Functions.EXPM1),
          Map.entry("Floor", Functions.FLOOR),
          Map.entry("Inv", Functions.RECIPROCAL),
          Map.entry("Log", Functions.LOG),
          Map.entry("Log1p", Functions.LOG1P),
          Map.entry("Neg", Functions.NEGATE),
          Map.entry("Reciprocal", Functions.RECIPROCAL),
          Map.entry("Relu", ActivationLoops.RELU),
          Map.entry("Relu6", ActivationLoops.RELU6),
          Map.entry("Rint", Functions.ROUND),
          Map.entry("Round", Functions.ROUND),
          Map.entry("Rsqrt", Functions.RECIPROCAL_SQUARE_ROOT),
          Map.entry("Selu", ActivationLoops.SELU),
          Map.entry("Sigmoid", Functions.SIGMOID),
          Map.entry("Sin", Functions.SIN),
          Map.entry("Sinh", Trigonometry.SINH),
          Map.entry("Sqrt", Functions.SQUARE_ROOT),
          Map.entry("Square", Functions.SQUARE),
          Map.entry("Tan", Functions.TAN),
          Map.entry("Tanh", Functions.TANH));

  private final DataType type;
  private final List<UnaryLoop> loops = new ArrayList<>();

  public FunctionChain(KernelNode node) {
    this.type = node.type();
    for (String name : node.attributes().strings("op_names")) {
      UnaryLoop loop = FUNCTIONS.get(name);
      if (loop == null) {
        throw TributaryException.invalidArgument(
            "Do not have a compute function registered for op: %s", name);
      }
      loop.requireSupport(type);
      loops.add(loop);
    }
    if (loops.isEmpty()) {
      throw TributaryException.invalidArgument("Unary op composition must have at least one op");
    }
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    long from = x.storage().address();
    Tensor y = context.forwardOrAllocate(0, 0, x.shape());
    for (UnaryLoop loop : loops) {
      context
          .device()
          .backend()
          .elementWise(loop, type, y.elementCount(), from, y.storage().address());
      from = y.storage().address();
    }
  }
}
