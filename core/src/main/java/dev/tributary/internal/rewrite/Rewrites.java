package dev.tributary.internal.rewrite;

import dev.tributary.graph.Rewrite;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.plan.StepGraph;
import java.util.Set;

/** All rewrites of a step graph, in the order in which one serves the next. */
public final class Rewrites {
  private Rewrites() {}

  /**
   * Rewrites a graph, all of whose nodes run on one device, in place. The constants that this made
   * are the caller's to close when the graph runs no more.
   */
  public static FoldedConstants run(StepGraph graph, Device device, Set<Rewrite> wanted) {
    FoldedConstants constants =
        wanted.contains(Rewrite.CONSTANT_FOLDING)
            ? ConstantFolding.run(graph, device)
            : FoldedConstants.none();
    try {
      if (wanted.contains(Rewrite.SIMPLIFICATION)) {
        Simplification.run(graph);
      }
      if (wanted.contains(Rewrite.COMMON_SUBEXPRESSIONS)) {
        CommonSubexpressions.run(graph);
      }
      if (wanted.contains(Rewrite.FUSION)) {
        NormFusion.run(graph);
        Fusion.run(graph);
        DescentFusion.run(graph);
        SumFusion.run(graph);
      }
      if (wanted.contains(Rewrite.POOLED_GRADIENTS)) {
        PooledGradients.run(graph);
      }
      if (wanted.contains(Rewrite.FUSION)) {
        LoopFusion.run(graph);
      }
      return constants;
    } catch (RuntimeException | Error e) {
      constants.close();
      throw e;
    }
  }
}
