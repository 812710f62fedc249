package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the true classes of examples among the drawn ones. Outputs: the example of each hit, the
 * place of the drawn class, and a weight that takes its score away.
 */
public final class AccidentalHits implements Kernel {
  private final long trueClasses;

  public AccidentalHits(KernelNode node) {
    this.trueClasses = node.attributes().integer("num_true");
  }

  @Override
  public void compute(KernelContext context) {
    Tensor classes = context.input(0);
    if (classes.rank() != 2 || classes.shape().size(1) != trueClasses) {
      throw TributaryException.invalidArgument(
          "true_classes must be a matrix of num_true = %d columns, got shape %s",
          trueClasses, classes.shape());
    }
    long[] drawn = IndexTensors.vector(context.input(1), "sampled_candidates");
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < drawn.length; i++) {
      places.put(drawn[i], i);
    }
    List<Long> hits = new ArrayList<>();
    for (long i = 0; i < classes.elementCount(); i++) {
      if (places.containsKey(IndexTensors.at(classes, i))) {
        hits.add(i);
      }
    }
    Shape shape = Shape.of(hits.size());
    Tensor examples = context.allocateOutput(0, shape);
    Tensor ids = context.allocateOutput(1, shape);
    long weights = context.allocateOutput(2, shape).storage().address();
    for (int i = 0; i < hits.size(); i++) {
      long hit = hits.get(i);
      IndexTensors.put(examples, i, hit / trueClasses);
      IndexTensors.put(ids, i, places.get(IndexTensors.at(classes, hit)));
      Memory.putFloat(weights + 4L * i, -Float.MAX_VALUE);
    }
  }
}
