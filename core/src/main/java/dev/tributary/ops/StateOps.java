package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.state.AssignKernels;
import dev.tributary.internal.kernel.state.GatherRows;
import dev.tributary.internal.kernel.state.ScatterRows;
import dev.tributary.internal.kernel.state.VariableInput;
import dev.tributary.internal.kernel.state.VariableKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.function.Function;

/**
 * Resource variables: values that live across steps, behind a handle. Clients start from {@link
 * #variable}.
 */
public final class StateOps extends RefVariableOps {
  static final String NUMBERS =
      "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,"
          + " bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";

  StateOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("VarHandleOp")
            .output("resource: resource")
            .attr("container: string = ''")
            .attr("shared_name: string = ''")
            .attr("debug_name: string = ''")
            .attr("dtype: type")
            .attr("shape: shape")
            .attr("allowed_devices: list(string) = []")
            .stateful()
            .flag(OpFlag.RESOURCE_MAKER)
            .shape(
                c -> {
                  c.output(0, Shape.scalar());
                  c.outputHandle(0, c.attributes().shape("shape"));
                })
            .kernel(VariableKernels::handleOf)
            .notDifferentiable(),
        op("ReadVariableOp")
            .flag(OpFlag.READS_STATE)
            .input("resource: resource")
            .output("value: dtype")
            .attr("dtype: type")
            .stateful()
            .shape(c -> c.output(0, c.inputHandle(0)))
            .kernel(VariableKernels::read)
            .flag(OpFlag.PASSES_SLICES)
            .gradRule((scope, op, dy) -> dy),
        op("AssignVariableOp")
            .input("resource: resource")
            .input("value: dtype")
            .attr("dtype: type")
            .attr("validate_shape: bool = false")
            .stateful()
            .shape(StateOps::requireValueFits)
            .kernel(AssignKernels::assignResource)
            .notDifferentiable(),
        combine("AssignAddVariableOp", Arithmetic.ADD),
        combine("AssignSubVariableOp", Arithmetic.SUBTRACT),
        op("VarIsInitializedOp")
            .input("resource: resource")
            .output("is_initialized: bool")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(VariableKernels::isInitialized)
            .notDifferentiable(),
        op("VariableShape")
            .input("input: resource")
            .output("output: out_type")
            .attr("out_type: {int32, int64} = int32")
            .stateful()
            .shape(
                c ->
                    c.output(
                        0,
                        c.inputHandle(0).hasRank()
                            ? Shape.of(c.inputHandle(0).rank())
                            : Shape.ofRank(1)))
            .value(c -> KnownValue.ofShape(c.inputHandle(0)))
            .kernel(VariableKernels::shape)
            .notDifferentiable(),
        op("DestroyResourceOp")
            .input("resource: resource")
            .attr("ignore_lookup_error: bool = true")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(VariableKernels::destroy)
            .notDifferentiable(),
        op("DisableCopyOnRead")
            .input("resource: resource")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(VariableKernels::requireExisting)
            .notDifferentiable(),
        op("ResourceCountUpTo")
            .input("resource: resource")
            .output("output: T")
            .attr("limit: int")
            .attr("T: {int32, int64}")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(node -> VariableKernels.countUpTo(node, VariableInput.RESOURCE))
            .notDifferentiable(),
        op("ResourceGather")
            .input("resource: resource")
            .input("indices: Tindices")
            .output("output: dtype")
            .attr("batch_dims: int = 0")
            .attr("validate_indices: bool = true")
            .attr("dtype: type")
            .attr("Tindices: {int32, int64}")
            .stateful()
            .shape(StateOps::gatherShape)
            .kernel(GatherRows::new)
            .grad((tf, op, dy) -> List.of(GatherGradient.slices(tf, op, dy), GradientValue.none())),
        scatter(
            "ResourceScatterUpdate",
            "dtype: type",
            node -> ScatterRows.replacing(node, VariableInput.RESOURCE)),
        scatter("ResourceScatterAdd", Arithmetic.ADD),
        scatter("ResourceScatterSub", Arithmetic.SUBTRACT),
        scatter("ResourceScatterMul", Arithmetic.MULTIPLY),
        scatter("ResourceScatterDiv", Arithmetic.DIVIDE),
        scatter("ResourceScatterMin", Arithmetic.MINIMUM),
        scatter("ResourceScatterMax", Arithmetic.MAXIMUM));
  }

  private static OpDeclaration combine(String name, BinaryLoop loop) {
    return op(name)
        .input("resource: resource")
        .input("value: dtype")
        .attr("dtype: type")
        .stateful()
        .shape(StateOps::requireValueFits)
        .kernel(node -> AssignKernels.combine(node, VariableInput.RESOURCE, loop))
        .notDifferentiable();
  }

  private static OpDeclaration scatter(String name, BinaryLoop loop) {
    return scatter(
        name,
        "dtype: " + NUMBERS,
        node -> ScatterRows.combining(node, VariableInput.RESOURCE, loop));
  }

  private static OpDeclaration scatter(String name, String types, KernelFactory kernel) {
    return op(name)
        .input("resource: resource")
        .input("indices: Tindices")
        .input("updates: dtype")
        .attr(types)
        .attr("Tindices: {int32, int64}")
        .stateful()
        .shape(c -> requireScatterShapes(c, c.inputHandle(0)))
        .kernel(kernel)
        .notDifferentiable();
  }

  private static void requireValueFits(InferenceContext context) {
    if (!context.inputHandle(0).isCompatibleWith(context.input(1))) {
      throw TributaryException.invalidArgument(
          "the variable has shape %s, the value has shape %s",
          context.inputHandle(0), context.input(1));
    }
  }

  /** Input 1 holds indices of rows of a variable, input 2 a row for each or a scalar for all. */
  static void requireScatterShapes(InferenceContext context, Shape variable) {
    Shape updates = context.input(2);
    if (!variable.hasRank() || updates.isScalar()) {
      return;
    }
    if (variable.rank() < 1) {
      throw TributaryException.invalidArgument("rows of a scalar variable cannot be changed");
    }
    Shape wanted = context.input(1).concatenate(variable.slice(1, variable.rank()));
    if (!updates.isCompatibleWith(wanted)) {
      throw TributaryException.invalidArgument(
          "updates for rows %s of a variable of shape %s must have shape %s, got %s",
          context.input(1), variable, wanted, updates);
    }
  }

  private static void gatherShape(InferenceContext context) {
    Shape params = context.inputHandle(0);
    Shape indices = context.input(1);
    if (params.hasRank() && indices.hasRank()) {
      int batchDims = context.attributes().int32("batch_dims");
      int axis = batchDims < 0 ? batchDims + indices.rank() : batchDims;
      if (axis < 0 || axis > indices.rank() || axis >= params.rank()) {
        throw TributaryException.invalidArgument(
            "batch_dims = %d does not fit params of shape %s and indices of shape %s",
            batchDims, params, indices);
      }
      context.output(0, GatherRows.outputShape(params, indices, axis));
    }
  }

  /** A variable with this name and initial value, trained by optimizers. */
  public Variable variable(String name, Operand initialValue) {
    return Variable.create(scope, name, initialValue.asOutput(), true);
  }

  /** A variable that optimizers leave alone, such as a step counter. */
  public Variable untrainedVariable(String name, Operand initialValue) {
    return Variable.create(scope, name, initialValue.asOutput(), false);
  }

  /**
   * A variable as defined.
   *
   * @param initialValue makes the initial value, given where to: beside the variable
   */
  public Variable variable(VariableDefinition definition, Function<Ops, Output> initialValue) {
    return Variable.create(scope, definition, initialValue);
  }

  Operation globalVariablesInitializer() {
    OperationBuilder init = scope.withName("init").operation("NoOp");
    Variable.all(scope.graph()).forEach(variable -> init.controlInput(variable.initializer()));
    return init.build();
  }

  /** The handle of the variable that is called {@code sharedName} wherever it is used. */
  public Output varHandleOp(DataType type, Shape shape, String sharedName) {
    return scope
        .operation("VarHandleOp")
        .attr("dtype", type)
        .attr("shape", shape)
        .attr("shared_name", sharedName)
        .buildOutput();
  }

  public Output readVariableOp(Output resource, DataType type) {
    return scope.operation("ReadVariableOp").input(resource).attr("dtype", type).buildOutput();
  }

  public Operation assignVariableOp(Output resource, Operand value) {
    return scope.operation("AssignVariableOp").input(resource).input(value).build();
  }

  public Operation assignAddVariableOp(Output resource, Operand value) {
    return scope.operation("AssignAddVariableOp").input(resource).input(value).build();
  }

  public Operation assignSubVariableOp(Output resource, Operand value) {
    return scope.operation("AssignSubVariableOp").input(resource).input(value).build();
  }

  public Output varIsInitializedOp(Output resource) {
    return scope.operation("VarIsInitializedOp").input(resource).buildOutput();
  }

  public Output variableShape(Output resource) {
    return scope.operation("VariableShape").input(resource).buildOutput();
  }

  public Operation destroyResourceOp(Output resource, boolean ignoreLookupError) {
    return scope
        .operation("DestroyResourceOp")
        .input(resource)
        .attr("ignore_lookup_error", ignoreLookupError)
        .build();
  }

  /**
   * The value of a scalar variable, which then goes up by one; OUT_OF_RANGE once it has reached
   * {@code limit}.
   */
  public Output resourceCountUpTo(Output resource, long limit, DataType type) {
    return scope
        .operation("ResourceCountUpTo")
        .input(resource)
        .attr("limit", limit)
        .attr("T", type)
        .buildOutput();
  }

  /** The rows of a variable that {@code indices} name. */
  public Output resourceGather(Output resource, Operand indices, DataType type) {
    return scope
        .operation("ResourceGather")
        .input(resource)
        .input(indices)
        .attr("dtype", type)
        .buildOutput();
  }

  public Operation resourceScatterUpdate(Output resource, Operand indices, Operand updates) {
    return scatter("ResourceScatterUpdate", resource, indices, updates);
  }

  public Operation resourceScatterAdd(Output resource, Operand indices, Operand updates) {
    return scatter("ResourceScatterAdd", resource, indices, updates);
  }

  public Operation resourceScatterSub(Output resource, Operand indices, Operand updates) {
    return scatter("ResourceScatterSub", resource, indices, updates);
  }

  public Operation resourceScatterMul(Output resource, Operand indices, Operand updates) {
    return scatter("ResourceScatterMul", resource, indices, updates);
  }

  public Operation resourceScatterDiv(Output resource, Operand indices, Operand updates) {
    return scatter("ResourceScatterDiv", resource, indices, updates);
  }

  public Operation resourceScatterMin(Output resource, Operand indices, Operand updates) {
    return scatter("ResourceScatterMin", resource, indices, updates);
  }

  public Operation resourceScatterMax(Output resource, Operand indices, Operand updates) {
    return scatter("ResourceScatterMax", resource, indices, updates);
  }

  private Operation scatter(String op, Output resource, Operand indices, Operand updates) {
    return scope.operation(op).input(resource).input(indices).input(updates).build();
  }
}
