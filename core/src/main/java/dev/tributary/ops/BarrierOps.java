package dev.tributary.ops;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.queue.BarrierKernels;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Barriers, which collect the components of tuples by key and give the tuples that are complete.
 */
abstract sealed class BarrierOps extends AccumulatorOps permits StagingOps {
  private static final HandleForm FORM = HandleForm.REFERENCE;

  BarrierOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        ResourceDeclaration.maker("Barrier", FORM, "handle")
            .attr("component_types: list(type) >= 1")
            .attr("shapes: list(shape) >= 0 = []")
            .attr("capacity: int = -1")
            .attr("container: string = ''")
            .attr("shared_name: string = ''")
            .flag(OpFlag.SHARED_BY_NAME)
            .kernel(BarrierKernels::maker)
            .notDifferentiable(),
        ResourceDeclaration.user("BarrierInsertMany", FORM, "handle")
            .input("keys: string")
            .input("values: T")
            .attr("T: type")
            .attr("component_index: int")
            .shape(
                c -> {
                  c.withRank(1, 1);
                  c.withRankAtLeast(2, 1);
                })
            .kernel(BarrierKernels::insertMany)
            .notDifferentiable(),
        ResourceDeclaration.user("BarrierTakeMany", FORM, "handle")
            .input("num_elements: int32")
            .output("indices: int64")
            .output("keys: string")
            .output("values: component_types")
            .attr("component_types: list(type) >= 1")
            .attr("allow_small_batch: bool = false")
            .attr("wait_for_incomplete: bool = false")
            .attr("timeout_ms: int = -1")
            .shape(
                c -> {
                  c.withRank(1, 0);
                  c.output(0, Shape.ofRank(1));
                  c.output(1, Shape.ofRank(1));
                })
            .kernel(BarrierKernels::takeMany)
            .notDifferentiable(),
        ResourceDeclaration.user("BarrierClose", FORM, "handle")
            .attr("cancel_pending_enqueues: bool = false")
            .shape(ShapeRules::unknown)
            .kernel(BarrierKernels::close)
            .notDifferentiable(),
        ResourceDeclaration.user("BarrierReadySize", FORM, "handle")
            .output("size: int32")
            .shape(ShapeRules::scalar)
            .kernel(BarrierKernels::readySize)
            .notDifferentiable(),
        ResourceDeclaration.user("BarrierIncompleteSize", FORM, "handle")
            .output("size: int32")
            .shape(ShapeRules::scalar)
            .kernel(BarrierKernels::incompleteSize)
            .notDifferentiable());
  }

  /** The handle of a barrier for tuples with components of these types and shapes. */
  public Output barrier(List<DataType> types, List<Shape> shapes, String sharedName) {
    return scope
        .withoutControlDependencies()
        .operation("Barrier")
        .attr("component_types", types)
        .attr("shapes", shapes)
        .attr("shared_name", sharedName)
        .buildOutput();
  }

  /** Adds one component of the tuples with these keys. */
  public Operation barrierInsertMany(Output barrier, int component, Operand keys, Operand values) {
    return scope
        .operation("BarrierInsertMany")
        .input(barrier)
        .input(keys)
        .input(values)
        .attr("component_index", component)
        .build();
  }

  /**
   * Takes complete tuples; waits until there are enough. The outputs are the numbers of the calls
   * that brought their keys, the keys, and the components.
   *
   * @param allowsFewer whether a closed barrier may give what is left
   */
  public List<Output> barrierTakeMany(
      Output barrier, Operand count, List<DataType> types, boolean allowsFewer) {
    return scope
        .operation("BarrierTakeMany")
        .input(barrier)
        .input(count)
        .attr("component_types", types)
        .attr("allow_small_batch", allowsFewer)
        .build()
        .outputs();
  }

  /** Refuses new keys and, if {@code cancels}, missing components of others, too. */
  public Operation barrierClose(Output barrier, boolean cancels) {
    return scope
        .operation("BarrierClose")
        .input(barrier)
        .attr("cancel_pending_enqueues", cancels)
        .build();
  }

  /** Returns how many tuples are complete, as an int32. */
  public Output barrierReadySize(Output barrier) {
    return scope.operation("BarrierReadySize").input(barrier).buildOutput();
  }

  /** Returns how many tuples lack components, as an int32. */
  public Output barrierIncompleteSize(Output barrier) {
    return scope.operation("BarrierIncompleteSize").input(barrier).buildOutput();
  }
}
