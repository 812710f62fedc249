package dev.tributary.optable;

import static dev.tributary.optable.Variables.Kind.REFERENCE;
import static dev.tributary.optable.Variables.Kind.RESOURCE;
import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.COMPLEX128;
import static dev.tributary.tensor.DataType.COMPLEX64;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;

final class StateOpRows {
  private static final DataType[] NUMBERS = {FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16};
  private static final DataType[] ALL = {
    FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, BOOL, COMPLEX64, COMPLEX128
  };
  private static final String ROWS = "only a variable of rank 1 or more has rows";

  private StateOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("VariableV2").types(ALL).script(d -> firstValue(d, REFERENCE)),
        OpRow.of("Variable").types(ALL).script(StateOpRows::oldVariable),
        OpRow.of("Assign").types(ALL).script(StateOpRows::assign),
        OpRow.of("AssignAdd")
            .types(NUMBERS)
            .types(COMPLEX64, COMPLEX128)
            .script(d -> combine(d, "AssignAdd", REFERENCE)),
        OpRow.of("AssignSub")
            .types(NUMBERS)
            .types(COMPLEX64, COMPLEX128)
            .script(d -> combine(d, "AssignSub", REFERENCE)),
        OpRow.of("IsVariableInitialized")
            .types(FLOAT, INT32)
            .script(StateOpRows::isVariableInitialized),
        OpRow.of("CountUpTo").types(INT32, INT64).script(StateOpRows::countUpTo),
        scatter("ScatterUpdate", REFERENCE).types(ALL),
        scatter("ScatterAdd", REFERENCE).types(NUMBERS).types(COMPLEX64, COMPLEX128),
        scatter("ScatterSub", REFERENCE).types(NUMBERS).types(COMPLEX64, COMPLEX128),
        scatter("ScatterMul", REFERENCE).types(NUMBERS).types(COMPLEX64, COMPLEX128),
        scatter("ScatterDiv", REFERENCE).types(NUMBERS).types(COMPLEX64, COMPLEX128),
        scatter("ScatterMin", REFERENCE).types(FLOAT, DOUBLE, INT32, INT64, HALF, BFLOAT16),
        scatter("ScatterMax", REFERENCE).types(FLOAT, DOUBLE, INT32, INT64, HALF, BFLOAT16),
        OpRow.of("VarHandleOp").types(ALL).script(d -> firstValue(d, RESOURCE)),
        OpRow.of("ReadVariableOp")
            .types(ALL)
            .script(d -> firstValue(d, RESOURCE))
            .withoutGradientCheck("VariableGradientsTest"),
        OpRow.of("AssignVariableOp").types(ALL).script(StateOpRows::assignResource),
        OpRow.of("AssignAddVariableOp")
            .types(NUMBERS)
            .types(COMPLEX64, COMPLEX128)
            .script(d -> combine(d, "AssignAddVariableOp", RESOURCE)),
        OpRow.of("AssignSubVariableOp")
            .types(NUMBERS)
            .types(COMPLEX64, COMPLEX128)
            .script(d -> combine(d, "AssignSubVariableOp", RESOURCE)),
        OpRow.of("VarIsInitializedOp").types(FLOAT, INT32).script(StateOpRows::varIsInitialized),
        OpRow.of("VariableShape").types(FLOAT, INT32).script(StateOpRows::variableShape),
        OpRow.of("DestroyResourceOp").types(FLOAT, INT32).script(StateOpRows::destroy),
        OpRow.of("DisableCopyOnRead").types(FLOAT, INT32).script(StateOpRows::disableCopyOnRead),
        OpRow.of("TemporaryVariable").types(ALL).script(StateOpRows::temporary),
        OpRow.of("DestroyTemporaryVariable").types(ALL).script(StateOpRows::temporary),
        OpRow.of("RefSelect").types(ALL).script(StateOpRows::select),
        OpRow.of("ResourceCountUpTo").types(INT32, INT64).script(StateOpRows::resourceCountUpTo),
        OpRow.of("ResourceGather")
            .types(ALL)
            .without(Draw.Size.SCALAR, ROWS)
            .script(StateOpRows::gather)
            .withoutGradientCheck("VariableGradientsTest"),
        scatter("ResourceScatterUpdate", RESOURCE).types(ALL),
        scatter("ResourceScatterAdd", RESOURCE).types(NUMBERS).types(COMPLEX64, COMPLEX128),
        scatter("ResourceScatterSub", RESOURCE).types(NUMBERS).types(COMPLEX64, COMPLEX128),
        scatter("ResourceScatterMul", RESOURCE).types(NUMBERS).types(COMPLEX64, COMPLEX128),
        scatter("ResourceScatterDiv", RESOURCE).types(NUMBERS).types(COMPLEX64, COMPLEX128),
        scatter("ResourceScatterMin", RESOURCE).types(NUMBERS),
        scatter("ResourceScatterMax", RESOURCE).types(NUMBERS));
  }

  private static Script firstValue(Draw d, Variables.Kind kind) {
    Tensor value = d.tensor(d.shape(0, 4));
    Variables variables = new Variables(kind);
    Output variable = variables.add(value.retain());
    Output read =
        kind == REFERENCE ? variable : variables.tf.state.readVariableOp(variable, value.type());
    return variables.start().expect(read, value);
  }

  private static Script oldVariable(Draw d) {
    Tensor value = d.tensor(d.shape(0, 3));
    Variables variables = new Variables(REFERENCE);
    Output variable =
        variables
            .tf
            .scope()
            .operation("Variable")
            .attr("dtype", d.type())
            .attr("shape", value.shape())
            .buildOutput();
    Output assign = variables.tf.state.assign(variable, variables.tf.constant(value));
    return Script.on(variables.tf).run(assign.operation()).expect(variable, value);
  }

  private static Script assign(Draw d) {
    Shape shape = d.shape(0, 3);
    boolean validate = d.flip();
    Tensor second = d.tensor(validate ? shape : d.shape(0, 3));
    Variables variables = new Variables(REFERENCE);
    Output variable = variables.add(d.tensor(shape));
    Output assigned = variables.tf.state.assign(variable, variables.tf.constant(second), validate);
    return variables.look(variables.start()).expect(assigned, second).expect(variable, second);
  }

  private static Script assignResource(Draw d) {
    Tensor second = d.tensor(d.shape(0, 3));
    Variables variables = new Variables(RESOURCE);
    Output variable = variables.add(d.tensor(second.shape()));
    Output value = variables.tf.constant(second);
    boolean validate = d.flip();
    Operation assign =
        variables
            .tf
            .scope()
            .operation("AssignVariableOp")
            .input(variable)
            .input(value)
            .attr("validate_shape", validate)
            .build();
    Output read = variables.tf.state.readVariableOp(variable, d.type());
    return variables.look(variables.start()).run(assign).expect(read, second);
  }

  private static Script combine(Draw d, String op, Variables.Kind kind) {
    Shape shape = d.shape(0, 4);
    Variables variables = new Variables(kind);
    Output variable = variables.add(d.tensor(shape));
    Output value = Constants.taking(variables.tf, d.tensor(shape));
    return variables.updated(
        variables.tf.scope().operation(op).input(variable).input(value).build(), 3);
  }

  private static Script isVariableInitialized(Draw d) {
    Variables variables = new Variables(REFERENCE);
    Output variable = variables.add(d.tensor(d.shape(0, 2)));
    Output answer = variables.tf.state.isVariableInitialized(variable);
    Script script = variables.start().expect(answer, Tensor.scalar(true));
    Output never = variables.tf.state.variableV2(d.type(), Shape.of(2));
    return script.expect(variables.tf.state.isVariableInitialized(never), Tensor.scalar(false));
  }

  private static Script countUpTo(Draw d) {
    int first = d.integer(-3, 3);
    Variables variables = new Variables(REFERENCE);
    Output counter = variables.add(integer(d.type(), first));
    Output count = variables.tf.state.countUpTo(counter, first + 2);
    return variables
        .start()
        .expect(count, integer(d.type(), first))
        .expect(count, integer(d.type(), first + 1))
        .expect(counter, integer(d.type(), first + 2));
  }

  private static Script resourceCountUpTo(Draw d) {
    int first = d.integer(-3, 3);
    Variables variables = new Variables(RESOURCE);
    Output counter = variables.add(integer(d.type(), first));
    Output count = variables.tf.state.resourceCountUpTo(counter, first + 2, d.type());
    return variables
        .start()
        .expect(count, integer(d.type(), first))
        .expect(count, integer(d.type(), first + 1))
        .expect(variables.tf.state.readVariableOp(counter, d.type()), integer(d.type(), first + 2));
  }

  private static Script varIsInitialized(Draw d) {
    Variables variables = new Variables(RESOURCE);
    Output handle = variables.add(d.tensor(d.shape(0, 2)));
    Output answer = variables.tf.state.varIsInitializedOp(handle);
    return Script.on(variables.tf)
        .expect(answer, Tensor.scalar(false))
        .run(variables.start().steps().get(0).targets().get(0))
        .expect(answer, Tensor.scalar(true));
  }

  private static Script variableShape(Draw d) {
    Shape shape = d.shape(0, 4);
    DataType type = d.oneOf(INT32, INT64);
    Variables variables = new Variables(RESOURCE);
    Output handle = variables.add(d.tensor(shape));
    Output sizes =
        variables
            .tf
            .scope()
            .operation("VariableShape")
            .input(handle)
            .attr("out_type", type)
            .buildOutput();
    return variables.start().expect(sizes, sizes(type, shape));
  }

  private static Script disableCopyOnRead(Draw d) {
    Tensor value = d.tensor(d.shape(0, 2));
    Variables variables = new Variables(RESOURCE);
    Output handle = variables.add(value);
    Operation disable = variables.tf.scope().operation("DisableCopyOnRead").input(handle).build();
    return variables.look(variables.start().run(disable));
  }

  private static Script temporary(Draw d) {
    Ops tf = Ops.create();
    Tensor value = d.tensor(d.shape(0, 3));
    Output ref = tf.state.temporaryVariable(d.type(), value.shape(), "sum");
    Output assigned = tf.state.assign(ref, tf.constant(value));
    Output last = tf.state.destroyTemporaryVariable(assigned, "sum");
    return Script.on(tf).expect(last, value).fetch(last);
  }

  private static Script select(Draw d) {
    Variables variables = new Variables(REFERENCE);
    Shape shape = d.shape(0, 2);
    Output first = variables.add(d.tensor(shape));
    Output second = variables.add(d.tensor(shape));
    Output chosen =
        variables.tf.state.refSelect(
            variables.tf.constant(d.integer(0, 1)), List.of(first, second));
    Output assigned =
        variables.tf.state.assign(chosen, Constants.taking(variables.tf, d.tensor(shape)));
    return variables.look(variables.start().run(assigned.operation()));
  }

  private static Script destroy(Draw d) {
    Tensor value = d.tensor(d.shape(0, 2));
    Variables variables = new Variables(RESOURCE);
    Output handle = variables.add(value);
    Operation destroy = variables.tf.state.destroyResourceOp(handle, d.flip());
    Output answer = variables.tf.state.varIsInitializedOp(handle);
    return variables.start().run(destroy).expect(answer, Tensor.scalar(false));
  }

  private static Script gather(Draw d) {
    boolean batched = d.size() == Draw.Size.ORDINARY && d.flip();
    Shape params = batched ? Shape.of(2, d.integer(1, 4), d.integer(1, 3)) : d.shape(1, 3);
    int axis = batched ? 1 : 0;
    int limit = (int) params.size(axis);
    Shape indices =
        batched ? Shape.of(2, d.integer(0, 3)) : limit == 0 ? Shape.of(0) : d.shape(0, 2);
    Variables variables = new Variables(RESOURCE);
    Output handle = variables.add(d.tensor(params));
    Output gathered =
        variables
            .tf
            .scope()
            .operation("ResourceGather")
            .input(handle)
            .input(
                Constants.taking(
                    variables.tf, d.indices(d.oneOf(INT32, INT64), indices, 0, Math.max(1, limit))))
            .attr("dtype", d.type())
            .attr("batch_dims", axis)
            .buildOutput();
    return variables.start().fetch(gathered);
  }

  /** Rows are named several times, so that the order of updates shows. */
  private static OpRow scatter(String op, Variables.Kind kind) {
    return OpRow.of(op)
        .without(Draw.Size.SCALAR, ROWS)
        .script(
            d -> {
              Shape shape = d.shape(1, 3);
              int rows = (int) shape.size(0);
              Shape indices =
                  rows == 0 ? Shape.of(0) : d.oneOf(Shape.of(7), Shape.of(2, 3), Shape.scalar());
              Shape updates =
                  d.flip() ? Shape.scalar() : indices.concatenate(shape.slice(1, shape.rank()));
              Variables variables = new Variables(kind);
              Output variable = variables.add(d.tensor(shape));
              Operation scatter =
                  variables
                      .tf
                      .scope()
                      .operation(op)
                      .input(variable)
                      .input(
                          Constants.taking(
                              variables.tf,
                              d.indices(d.oneOf(INT32, INT64), indices, 0, Math.max(1, rows))))
                      .input(
                          Constants.taking(
                              variables.tf,
                              op.endsWith("Div") ? divisors(d, updates) : d.tensor(updates)))
                      .build();
              return variables.updated(scatter, 2);
            });
  }

  private static Tensor divisors(Draw d, Shape shape) {
    return d.tensor(d.type(), shape, 1, 5);
  }

  private static Tensor integer(DataType type, long value) {
    return type == INT32 ? Tensor.scalar((int) value) : Tensor.scalar(value);
  }

  private static Tensor sizes(DataType type, Shape shape) {
    long[] sizes = shape.toArray();
    return type == INT64
        ? Tensor.of(sizes)
        : Tensor.of(java.util.Arrays.stream(sizes).mapToInt(i -> (int) i).toArray());
  }
}
