package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;

/** Stacks, tensor arrays and stitching: data structures that live for a step. */
public final class DataFlowOps {
  private final Scope scope;

  DataFlowOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    all.addAll(StackDeclarations.declarations());
    all.addAll(TensorArrayDeclarations.declarations());
    all.addAll(StitchDeclarations.declarations());
    return all;
  }

  // ---- stacks ----

  /** A stack for elements of a type, without a limit. */
  public Output stackV2(DataType elementType) {
    Output noLimit = new Ops(scope).constant(-1);
    return scope.operation("StackV2").input(noLimit).attr("elem_type", elementType).buildOutput();
  }

  /** Puts a value on a stack and gives it back. */
  public Output stackPushV2(Output handle, Operand element) {
    return scope.operation("StackPushV2").input(handle).input(element).buildOutput();
  }

  /** Takes the last value off a stack. */
  public Output stackPopV2(Output handle, DataType elementType) {
    return scope.operation("StackPopV2").input(handle).attr("elem_type", elementType).buildOutput();
  }

  public Operation stackCloseV2(Output handle) {
    return scope.operation("StackCloseV2").input(handle).build();
  }

  // ---- stitching ----

  /** Puts slices together: slice {@code k} of {@code data[i]} goes to row {@code indices[i][k]}. */
  public Output dynamicStitch(List<? extends Operand> indices, List<? extends Operand> data) {
    return scope.operation("DynamicStitch").inputList(indices).inputList(data).buildOutput();
  }

  /** The same where the order of slices with equal indices does not matter. */
  public Output parallelDynamicStitch(
      List<? extends Operand> indices, List<? extends Operand> data) {
    return scope
        .operation("ParallelDynamicStitch")
        .inputList(indices)
        .inputList(data)
        .buildOutput();
  }

  /** Sends each slice of {@code data} to the output that {@code partitions} tells. */
  public List<Output> dynamicPartition(Operand data, Operand partitions, int count) {
    return scope
        .operation("DynamicPartition")
        .input(data)
        .input(partitions)
        .attr("num_partitions", count)
        .build()
        .outputs();
  }
}
