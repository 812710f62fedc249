package dev.tributary.session;

import dev.tributary.executor.ExecutableGraph;
import dev.tributary.executor.GraphCompiler;
import dev.tributary.executor.StatefulKernels;
import dev.tributary.graph.Graph;
import dev.tributary.kernel.Device;
import dev.tributary.placement.Placer;
import dev.tributary.plan.Pruner;
import dev.tributary.plan.StepGraph;
import dev.tributary.plan.StepSignature;
import dev.tributary.rewrite.FoldedConstants;
import dev.tributary.rewrite.Rewrites;
import java.util.List;

/**
 * Prepares steps of a graph: prunes, places, rewrites and compiles them. Safe for use by many
 * threads.
 */
final class StepCompiler {
  private final Graph graph;
  private final Device device;
  private final SessionOptions options;
  private final Placer placer;
  private final StatefulKernels kernels = new StatefulKernels();

  StepCompiler(Graph graph, Device device, SessionOptions options) {
    this.graph = graph;
    this.device = device;
    this.options = options;
    this.placer =
        new Placer(
            List.of(device.name()),
            device.name(),
            options.softPlacement(),
            (op, type) -> type.equals("CPU"));
  }

  CompiledStep compile(StepSignature signature) {
    StepGraph step = Pruner.prune(graph, signature);
    placer.place(step);
    FoldedConstants constants = Rewrites.run(step, device, options.rewrites());
    try {
      ExecutableGraph executable = GraphCompiler.compile(step, device, kernels);
      return new CompiledStep(signature, executable, constants);
    } catch (RuntimeException | Error e) {
      constants.close();
      throw e;
    }
  }
}
