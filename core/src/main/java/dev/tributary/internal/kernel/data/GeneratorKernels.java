package dev.tributary.internal.kernel.data;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import java.util.ArrayList;
import java.util.List;

/** The kernel of the op whose elements functions make. */
public final class GeneratorKernels {
  private static final List<String> FUNCTIONS = List.of("init_func", "next_func", "finalize_func");

  private GeneratorKernels() {}

  public static Kernel generator(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    List<StageFunction.Maker> makers =
        FUNCTIONS.stream().map(function -> StageFunction.of(node, function)).toList();
    List<Integer> captures =
        FUNCTIONS.stream()
            .map(function -> node.attributes().types("T" + function + "_args").size())
            .toList();
    return c -> {
      List<StageFunction> made = new ArrayList<>();
      Runnable release = () -> made.forEach(StageFunction::close);
      Dataset dataset;
      try {
        int first = 0;
        for (int i = 0; i < makers.size(); i++) {
          made.add(makers.get(i).make(c, first, captures.get(i)));
          first += captures.get(i);
        }
        dataset =
            new Dataset(
                DatasetKernels.stage(node),
                spec,
                List.of(),
                release,
                context -> new GeneratorIterator(context, made.get(0), made.get(1), made.get(2)));
      } catch (RuntimeException e) {
        release.run();
        throw e;
      }
      DatasetKernels.set(c, dataset);
    };
  }
}
