package dev.tributary.optable;

import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An op for tests that hands on a copy of its input which nobody else holds, unlike a fed tensor.
 * The kernel behind it may then compute in place, and must give the same.
 */
final class FreshCopy {
  static final String NAME = "_FreshCopy";

  private FreshCopy() {}

  static OpRegistry addedTo(OpRegistry registry) {
    List<OpDeclaration> all = new ArrayList<>(registry.all());
    all.add(
        new OpDeclaration(
            new OpDefBuilder(NAME).input("input: T").output("output: T").attr("T: type").build(),
            ShapeRules::unchanged,
            Optional.empty(),
            node -> FreshCopy::compute,
            Optional.empty(),
            FlowKind.NONE,
            Set.of(OpFlag.NOT_FOLDABLE)));
    return new OpRegistry(all);
  }

  private static void compute(KernelContext context) {
    Tensor input = context.input(0);
    Tensor copy = context.allocateOutput(0, input.shape());
    if (input.type().isObject()) {
      System.arraycopy(input.objects(), 0, copy.objects(), 0, input.objects().length);
    } else {
      Memory.copy(input.storage().address(), copy.storage().address(), input.byteSize());
    }
  }
}
