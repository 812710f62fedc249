package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.state.AssignKernels;
import dev.tributary.internal.kernel.state.ScatterRows;
import dev.tributary.internal.kernel.state.TemporaryVariables;
import dev.tributary.internal.kernel.state.VariableInput;
import dev.tributary.internal.kernel.state.VariableKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * Variables behind reference edges, as TensorFlow's first graphs have them. New graphs use {@link
 * StateOps}.
 */
abstract sealed class RefVariableOps permits StateOps {
  private static final String NUMBERS = StateOps.NUMBERS;

  final Scope scope;

  RefVariableOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        variable("VariableV2").shape(ShapeRules::fromAttribute).notDifferentiable(),
        // In graphs as old as this op a shape of [] also stands for one that is not known.
        variable("Variable")
            .shape(c -> c.output(0, declared(c).isScalar() ? Shape.unknown() : declared(c)))
            .notDifferentiable(),
        op("Assign")
            .input("ref: Ref(T)")
            .input("value: T")
            .output("output_ref: Ref(T)")
            .attr("T: type")
            .attr("validate_shape: bool = true")
            .attr("use_locking: bool = true")
            .allowsUninitializedInput()
            .shape(
                c ->
                    c.output(
                        0, c.attributes().bool("validate_shape") ? c.merged(0, 1) : c.input(1)))
            .kernel(AssignKernels::assign)
            .notDifferentiable(),
        combine("AssignAdd", Arithmetic.ADD),
        combine("AssignSub", Arithmetic.SUBTRACT),
        op("IsVariableInitialized")
            .input("ref: Ref(dtype)")
            .output("is_initialized: bool")
            .attr("dtype: type")
            .allowsUninitializedInput()
            .shape(ShapeRules::scalar)
            .kernel(node -> c -> c.setOutput(0, Tensor.scalar(c.refInput(0).isInitialized())))
            .notDifferentiable(),
        op("TemporaryVariable")
            .output("ref: Ref(dtype)")
            .attr("shape: shape")
            .attr("dtype: type")
            .attr("var_name: string = ''")
            .stateful()
            .shape(ShapeRules::fromAttribute)
            .kernel(TemporaryVariables::make)
            .notDifferentiable(),
        op("DestroyTemporaryVariable")
            .input("ref: Ref(T)")
            .output("value: T")
            .attr("T: type")
            .attr("var_name: string")
            .shape(ShapeRules::unchanged)
            .kernel(TemporaryVariables::destroy)
            .notDifferentiable(),
        op("RefSelect")
            .input("index: int32")
            .input("inputs: N * Ref(T)")
            .output("output: Ref(T)")
            .attr("T: type")
            .attr("N: int >= 1")
            .shape(RefVariableOps::selectShape)
            .kernel(node -> RefVariableOps::select)
            .notDifferentiable(),
        op("CountUpTo")
            .input("ref: Ref(T)")
            .output("output: T")
            .attr("limit: int")
            .attr("T: {int32, int64}")
            .shape(c -> c.output(0, c.withRank(0, 0)))
            .kernel(node -> VariableKernels.countUpTo(node, VariableInput.REFERENCE))
            .notDifferentiable(),
        scatter(
            "ScatterUpdate",
            "T: type",
            true,
            node -> ScatterRows.replacing(node, VariableInput.REFERENCE)),
        scatter("ScatterAdd", Arithmetic.ADD),
        scatter("ScatterSub", Arithmetic.SUBTRACT),
        scatter("ScatterMul", Arithmetic.MULTIPLY),
        scatter("ScatterDiv", Arithmetic.DIVIDE),
        scatterExtreme("ScatterMin", Arithmetic.MINIMUM),
        scatterExtreme("ScatterMax", Arithmetic.MAXIMUM));
  }

  private static Declaration variable(String name) {
    return op(name)
        .output("ref: Ref(dtype)")
        .attr("shape: shape")
        .attr("dtype: type")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .stateful()
        .flag(OpFlag.RESOURCE_MAKER)
        .kernel(VariableKernels::reference);
  }

  private static OpDeclaration combine(String name, BinaryLoop loop) {
    return op(name)
        .input("ref: Ref(T)")
        .input("value: T")
        .output("output_ref: Ref(T)")
        .attr("T: " + NUMBERS)
        .attr("use_locking: bool = false")
        .shape(c -> c.output(0, c.merged(0, 1)))
        .kernel(node -> AssignKernels.combine(node, VariableInput.REFERENCE, loop))
        .notDifferentiable();
  }

  private static OpDeclaration scatter(String name, BinaryLoop loop) {
    return scatter(
        name,
        "T: " + NUMBERS,
        false,
        node -> ScatterRows.combining(node, VariableInput.REFERENCE, loop));
  }

  private static OpDeclaration scatterExtreme(String name, BinaryLoop loop) {
    return scatter(
        name,
        "T: {half, bfloat16, float, double, int32, int64}",
        false,
        node -> ScatterRows.combining(node, VariableInput.REFERENCE, loop));
  }

  private static OpDeclaration scatter(
      String name, String types, boolean locking, KernelFactory kernel) {
    return op(name)
        .input("ref: Ref(T)")
        .input("indices: Tindices")
        .input("updates: T")
        .output("output_ref: Ref(T)")
        .attr(types)
        .attr("Tindices: {int32, int64}")
        .attr("use_locking: bool = " + locking)
        .shape(
            c -> {
              StateOps.requireScatterShapes(c, c.input(0));
              c.output(0, c.input(0));
            })
        .kernel(kernel)
        .notDifferentiable();
  }

  private static void selectShape(InferenceContext context) {
    context.withRank(0, 0);
    Shape shape = context.input(1);
    for (int i = 2; i < context.inputCount(); i++) {
      shape = ShapeRules.common(shape, context.input(i));
    }
    context.output(0, shape);
  }

  private static void select(KernelContext context) {
    IndexTensors.requireScalar(context.input(0), "index");
    int index = context.input(0).intValue();
    int count = context.inputCount() - 1;
    if (index < 0 || index >= count) {
      throw TributaryException.invalidArgument(
          "Index must be in the range [0, %d) but got %d", count, index);
    }
    context.setRefOutput(0, context.refInput(1 + index));
  }

  private static Shape declared(InferenceContext context) {
    return context.attributes().shape("shape");
  }

  /** A reference to a variable of this shape; steps fail until something is assigned to it. */
  public Output variableV2(DataType type, Shape shape) {
    return scope.operation("VariableV2").attr("dtype", type).attr("shape", shape).buildOutput();
  }

  public Output assign(Output ref, Operand value) {
    return assign(ref, value, true);
  }

  public Output assign(Output ref, Operand value, boolean validateShape) {
    return scope
        .operation("Assign")
        .input(ref)
        .input(value)
        .attr("validate_shape", validateShape)
        .buildOutput();
  }

  public Output assignAdd(Output ref, Operand value) {
    return scope.operation("AssignAdd").input(ref).input(value).buildOutput();
  }

  public Output assignSub(Output ref, Operand value) {
    return scope.operation("AssignSub").input(ref).input(value).buildOutput();
  }

  /**
   * A reference to a variable that exists for one step only, without a first value. {@link
   * #destroyTemporaryVariable} ends it and gives its last value.
   */
  public Output temporaryVariable(DataType type, Shape shape, String name) {
    return scope
        .operation("TemporaryVariable")
        .attr("dtype", type)
        .attr("shape", shape)
        .attr("var_name", name)
        .buildOutput();
  }

  /** The last value of a {@link #temporaryVariable} of this name, which ends with it. */
  public Output destroyTemporaryVariable(Output ref, String name) {
    return scope
        .operation("DestroyTemporaryVariable")
        .input(ref)
        .attr("var_name", name)
        .buildOutput();
  }

  /** The reference among {@code refs} that {@code index} says. */
  public Output refSelect(Operand index, List<Output> refs) {
    return scope.operation("RefSelect").input(index).inputList(refs).buildOutput();
  }

  public Output isVariableInitialized(Output ref) {
    return scope.operation("IsVariableInitialized").input(ref).buildOutput();
  }

  /**
   * The variable's value, which then goes up by one; OUT_OF_RANGE once it has reached {@code
   * limit}.
   */
  public Output countUpTo(Output ref, long limit) {
    return scope.operation("CountUpTo").input(ref).attr("limit", limit).buildOutput();
  }

  public Output scatterUpdate(Output ref, Operand indices, Operand updates) {
    return scatter("ScatterUpdate", ref, indices, updates);
  }

  public Output scatterAdd(Output ref, Operand indices, Operand updates) {
    return scatter("ScatterAdd", ref, indices, updates);
  }

  public Output scatterSub(Output ref, Operand indices, Operand updates) {
    return scatter("ScatterSub", ref, indices, updates);
  }

  public Output scatterMul(Output ref, Operand indices, Operand updates) {
    return scatter("ScatterMul", ref, indices, updates);
  }

  public Output scatterDiv(Output ref, Operand indices, Operand updates) {
    return scatter("ScatterDiv", ref, indices, updates);
  }

  public Output scatterMin(Output ref, Operand indices, Operand updates) {
    return scatter("ScatterMin", ref, indices, updates);
  }

  public Output scatterMax(Output ref, Operand indices, Operand updates) {
    return scatter("ScatterMax", ref, indices, updates);
  }

  private Output scatter(String op, Output ref, Operand indices, Operand updates) {
    return scope.operation(op).input(ref).input(indices).input(updates).buildOutput();
  }
}
