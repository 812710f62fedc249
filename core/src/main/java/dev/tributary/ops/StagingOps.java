package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.queue.StagingKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Staging areas and maps, which hold tuples of tensors between steps. Ops that name the same area
 * use the same one.
 */
abstract sealed class StagingOps extends BarrierOps permits QueueOps {
  StagingOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    all.add(
        staging(op("Stage").input("values: dtypes"), "dtypes: list(type) >= 1")
            .shape(ShapeRules::unknown)
            .kernel(StagingKernels::stage)
            .notDifferentiable());
    all.add(
        staging(op("Unstage").output("values: dtypes"), "dtypes: list(type) >= 1")
            .shape(ShapeRules::unknown)
            .kernel(StagingKernels::unstage)
            .notDifferentiable());
    all.add(
        staging(
                op("StagePeek").input("index: int32").output("values: dtypes"),
                "dtypes: list(type) >= 1")
            .shape(ShapeRules::unknown)
            .kernel(StagingKernels::peek)
            .notDifferentiable());
    all.add(
        staging(op("StageSize").output("size: int32"), "dtypes: list(type)")
            .shape(ShapeRules::scalar)
            .kernel(StagingKernels::size)
            .notDifferentiable());
    all.add(
        staging(op("StageClear"), "dtypes: list(type)")
            .shape(ShapeRules::unknown)
            .kernel(StagingKernels::clear)
            .notDifferentiable());
    all.addAll(maps("Map", false));
    all.addAll(maps("OrderedMap", true));
    return all;
  }

  private static List<OpDeclaration> maps(String prefix, boolean isOrdered) {
    return List.of(
        staging(
                op(prefix + "Stage")
                    .input("key: int64")
                    .input("indices: int32")
                    .input("values: fake_dtypes"),
                "dtypes: list(type)",
                "fake_dtypes: list(type) >= 1")
            .shape(ShapeRules::unknown)
            .kernel(node -> StagingKernels.mapStage(node, isOrdered))
            .notDifferentiable(),
        staging(
                op(prefix + "Unstage")
                    .input("key: int64")
                    .input("indices: int32")
                    .output("values: dtypes"),
                "dtypes: list(type) >= 1")
            .shape(ShapeRules::unknown)
            .kernel(node -> StagingKernels.mapUnstage(node, isOrdered))
            .notDifferentiable(),
        staging(
                op(prefix + "UnstageNoKey")
                    .input("indices: int32")
                    .output("key: int64")
                    .output("values: dtypes"),
                "dtypes: list(type) >= 1")
            .shape(ShapeRules::unknown)
            .kernel(node -> StagingKernels.mapUnstageAny(node, isOrdered))
            .notDifferentiable(),
        staging(
                op(prefix + "Peek")
                    .input("key: int64")
                    .input("indices: int32")
                    .output("values: dtypes"),
                "dtypes: list(type) >= 1")
            .shape(ShapeRules::unknown)
            .kernel(node -> StagingKernels.mapPeek(node, isOrdered))
            .notDifferentiable(),
        staging(op(prefix + "Size").output("size: int32"), "dtypes: list(type)")
            .shape(ShapeRules::scalar)
            .kernel(node -> StagingKernels.mapSize(node, isOrdered))
            .notDifferentiable(),
        staging(op(prefix + "IncompleteSize").output("size: int32"), "dtypes: list(type)")
            .shape(ShapeRules::scalar)
            .kernel(node -> StagingKernels.mapIncompleteSize(node, isOrdered))
            .notDifferentiable(),
        staging(op(prefix + "Clear"), "dtypes: list(type)")
            .shape(ShapeRules::unknown)
            .kernel(node -> StagingKernels.mapClear(node, isOrdered))
            .notDifferentiable());
  }

  private static Declaration staging(Declaration declaration, String... types) {
    declaration.attr("capacity: int >= 0 = 0").attr("memory_limit: int >= 0 = 0");
    for (String type : types) {
      declaration.attr(type);
    }
    return declaration
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .stateful()
        .flag(OpFlag.SHARED_BY_NAME);
  }

  /** Puts a tuple of tensors into the staging area of this name. */
  public Operation stage(String name, List<? extends Operand> values) {
    List<DataType> types = values.stream().map(value -> value.asOutput().type()).toList();
    return node("Stage", name, types).inputList(values).build();
  }

  /** Takes the first tuple of the staging area of this name; waits until there is one. */
  public List<Output> unstage(String name, List<DataType> types) {
    return node("Unstage", name, types).build().outputs();
  }

  /** The tuple with this index, which stays; waits until there are that many. */
  public List<Output> stagePeek(String name, Operand index, List<DataType> types) {
    return node("StagePeek", name, types).input(index).build().outputs();
  }

  /** Returns how many tuples the staging area of this name holds, as an int32. */
  public Output stageSize(String name, List<DataType> types) {
    return node("StageSize", name, types).buildOutput();
  }

  /** Drops all tuples of the staging area of this name. */
  public Operation stageClear(String name, List<DataType> types) {
    return node("StageClear", name, types).build();
  }

  private OperationBuilder node(String op, String name, List<DataType> types) {
    return scope.operation(op).attr("dtypes", types).attr("shared_name", name);
  }
}
