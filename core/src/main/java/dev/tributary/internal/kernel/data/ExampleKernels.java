package dev.tributary.internal.kernel.data;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The kernels of ops whose datasets parse serialized examples. */
public final class ExampleKernels {
  private ExampleKernels() {}

  public static Kernel parse(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    String stage = DatasetKernels.stage(node);
    ExampleFunction.Features features = ExampleFunction.Features.of(node.attributes());
    return c -> {
      Dataset input = Dataset.input(c, 0);
      ParallelMapIterator.Settings settings = CallingKernels.settings(node, c, 1);
      List<Tensor> defaults = new ArrayList<>();
      for (int i = 2; i < c.inputCount(); i++) {
        defaults.add(c.input(i).retain());
      }
      ExampleFunction function = function(c.device().allocator(), stage, features, defaults);
      try {
        DatasetKernels.set(
            c,
            new Dataset(
                stage,
                spec,
                input.cardinality(),
                List.of(input),
                function::close,
                context -> new ParallelMapIterator(context, input, function, settings)));
      } catch (RuntimeException e) {
        function.close();
        throw e;
      }
    };
  }

  private static ExampleFunction function(
      Allocator allocator, String stage, ExampleFunction.Features features, List<Tensor> defaults) {
    try {
      return new ExampleFunction(stage, allocator, features, defaults);
    } catch (RuntimeException e) {
      defaults.forEach(Tensor::close);
      throw e;
    }
  }
}
