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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Prepares each kind of step once: cuts it out of the graph, checks devices, rewrites and compiles
 * it. Threads that want the same one at the same time share the work. A kind that cannot be
 * prepared is not remembered. Safe for use by many threads.
 */
final class StepCompiler implements AutoCloseable {
  private final Graph graph;
  private final Device device;
  private final SessionOptions options;
  private final Placer placer;
  private final StatefulKernels kernels = new StatefulKernels();
  private final Map<StepSignature, CompletableFuture<CompiledStep>> compiled =
      new ConcurrentHashMap<>();

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

  CompiledStep compiled(StepSignature signature) {
    CompletableFuture<CompiledStep> known = compiled.get(signature);
    if (known == null) {
      CompletableFuture<CompiledStep> mine = new CompletableFuture<>();
      known = compiled.putIfAbsent(signature, mine);
      if (known == null) {
        return compileInto(mine, signature);
      }
    }
    try {
      return known.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException ? (RuntimeException) e.getCause() : e;
    }
  }

  /** Gives back the constants; to be called when no step runs or begins any more. */
  @Override
  public void close() {
    for (StepSignature signature : compiled.keySet()) {
      CompletableFuture<CompiledStep> step = compiled.remove(signature);
      if (step != null) {
        step.thenAccept(CompiledStep::close);
      }
    }
  }

  private CompiledStep compileInto(
      CompletableFuture<CompiledStep> result, StepSignature signature) {
    try {
      CompiledStep step = compile(signature);
      result.complete(step);
      return step;
    } catch (RuntimeException | Error e) {
      compiled.remove(signature, result);
      result.completeExceptionally(e);
      throw e;
    }
  }

  private CompiledStep compile(StepSignature signature) {
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
