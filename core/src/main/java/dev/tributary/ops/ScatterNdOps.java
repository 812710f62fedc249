package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.Gathering;
import dev.tributary.internal.kernel.array.Scattering;
import dev.tributary.internal.kernel.array.SliceSpec;
import dev.tributary.internal.kernel.array.Slicing;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.state.ScatterNdKernels;
import dev.tributary.internal.kernel.state.VariableInput;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * Changes of the parts of a tensor or variable that index vectors or slices name. A change of a
 * tensor is a changed copy.
 */
abstract sealed class ScatterNdOps extends LayoutOps permits IndexOps {
  private static final String INDICES = "Tindices: {int32, int64}";

  ScatterNdOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        tensor("TensorScatterUpdate", "Tindices: {int16, int32, int64, uint16}", Optional.empty())
            .grad(
                (tf, op, dy) ->
                    gradients(
                        tf.array.tensorScatterUpdate(dy, op.input(1), tf.zerosLike(op.input(2))),
                        tf.array.gatherNd(dy, op.input(1)))),
        tensor("TensorScatterAdd", INDICES, Optional.of(Arithmetic.ADD))
            .grad((tf, op, dy) -> gradients(dy, tf.array.gatherNd(dy, op.input(1)))),
        tensor("TensorScatterSub", INDICES, Optional.of(Arithmetic.SUBTRACT))
            .grad((tf, op, dy) -> gradients(dy, tf.neg(tf.array.gatherNd(dy, op.input(1))))),
        tensor("TensorScatterMin", INDICES, Optional.of(Arithmetic.MINIMUM))
            .grad(ScatterNdOps::extremeGradient),
        tensor("TensorScatterMax", INDICES, Optional.of(Arithmetic.MAXIMUM))
            .grad(ScatterNdOps::extremeGradient),
        op("ScatterNdNonAliasingAdd")
            .input("input: T")
            .input("indices: Tindices")
            .input("updates: T")
            .output("output: T")
            .attr("T: " + StateOps.NUMBERS.replace("}", ", bool}"))
            .attr(INDICES)
            .attr("bad_indices_policy: string = ''")
            .shape(ScatterNdOps::changedShape)
            .kernel(node -> Scattering.adding(node)::copy)
            .grad((tf, op, dy) -> gradients(dy, tf.array.gatherNd(dy, op.input(1)))),
        SliceOps.masked(slice(op("TensorStridedSliceUpdate").input("input: T")).output("output: T"))
            .shape(c -> c.output(0, c.input(0)))
            .kernel(
                node -> {
                  SliceSpec.Masks masks = SliceOps.masks(node.attributes());
                  return c -> Slicing.stridedUpdate(c, masks);
                })
            .grad(ScatterNdOps::sliceGradient),
        reference("ScatterNdUpdate", "T: type", true, Optional.empty()),
        reference("ScatterNdAdd", Arithmetic.ADD),
        reference("ScatterNdSub", Arithmetic.SUBTRACT),
        reference("ScatterNdMin", Arithmetic.MINIMUM),
        reference("ScatterNdMax", Arithmetic.MAXIMUM),
        resource("ResourceScatterNdUpdate", Optional.empty()),
        resource("ResourceScatterNdAdd", Optional.of(Arithmetic.ADD)),
        resource("ResourceScatterNdSub", Optional.of(Arithmetic.SUBTRACT)),
        resource("ResourceScatterNdMin", Optional.of(Arithmetic.MINIMUM)),
        resource("ResourceScatterNdMax", Optional.of(Arithmetic.MAXIMUM)),
        SliceOps.masked(
                slice(op("StridedSliceAssign").input("ref: Ref(T)")).output("output_ref: Ref(T)"))
            .shape(c -> c.output(0, c.input(0)))
            .kernel(
                node ->
                    ScatterNdKernels.assignSlice(
                        node, VariableInput.REFERENCE, SliceOps.masks(node.attributes())))
            .notDifferentiable(),
        SliceOps.masked(slice(op("ResourceStridedSliceAssign").input("ref: resource")))
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(
                node ->
                    ScatterNdKernels.assignSlice(
                        node, VariableInput.RESOURCE, SliceOps.masks(node.attributes())))
            .notDifferentiable(),
        op("ResourceGatherNd")
            .input("resource: resource")
            .input("indices: Tindices")
            .output("output: dtype")
            .attr("dtype: type")
            .attr(INDICES)
            .stateful()
            .shape(
                c -> {
                  if (c.inputHandle(0).hasRank() && c.input(1).hasRank()) {
                    c.output(0, Gathering.gatheredNd(c.inputHandle(0), c.input(1)));
                  }
                })
            .kernel(ScatterNdKernels::gather)
            .grad(ScatterNdOps::gatherGradient));
  }

  private static Declaration tensor(String name, String indices, Optional<BinaryLoop> function) {
    return op(name)
        .input("tensor: T")
        .input("indices: Tindices")
        .input("updates: T")
        .output("output: T")
        .attr("T: type")
        .attr(indices)
        .attr("bad_indices_policy: string = ''")
        .shape(ScatterNdOps::changedShape)
        .kernel(node -> Scattering.of(node, function)::copy);
  }

  private static OpDeclaration reference(String name, BinaryLoop function) {
    return reference(name, "T: " + StateOps.NUMBERS, false, Optional.of(function));
  }

  private static OpDeclaration reference(
      String name, String types, boolean locking, Optional<BinaryLoop> function) {
    return op(name)
        .input("ref: Ref(T)")
        .input("indices: Tindices")
        .input("updates: T")
        .output("output_ref: Ref(T)")
        .attr(types)
        .attr(INDICES)
        .attr("use_locking: bool = " + locking)
        .attr("bad_indices_policy: string = ''")
        .shape(ScatterNdOps::changedShape)
        .kernel(node -> ScatterNdKernels.scatter(node, VariableInput.REFERENCE, function))
        .notDifferentiable();
  }

  private static OpDeclaration resource(String name, Optional<BinaryLoop> function) {
    return op(name)
        .input("ref: resource")
        .input("indices: Tindices")
        .input("updates: T")
        .attr("T: type")
        .attr(INDICES)
        .attr("use_locking: bool = true")
        .attr("bad_indices_policy: string = ''")
        .stateful()
        .shape(c -> requireUpdates(c, c.inputHandle(0)))
        .kernel(node -> ScatterNdKernels.scatter(node, VariableInput.RESOURCE, function))
        .notDifferentiable();
  }

  private static Declaration slice(Declaration declaration) {
    return declaration
        .input("begin: Index")
        .input("end: Index")
        .input("strides: Index")
        .input("value: T")
        .attr("T: type")
        .attr("Index: {int32, int64}");
  }

  private static void changedShape(InferenceContext context) {
    requireUpdates(context, context.input(0));
    context.output(0, context.input(0));
  }

  private static void requireUpdates(InferenceContext context, Shape target) {
    if (target.hasRank() && context.input(1).hasRank() && context.input(1).rank() > 1) {
      IndexOps.requireCompatible(context.input(2), Gathering.gatheredNd(target, context.input(1)));
    }
  }

  private static List<GradientValue> gradients(Output ofTensor, Output ofUpdates) {
    return List.of(ofTensor, GradientValue.none(), ofUpdates);
  }

  /** Elements that are equally extreme share the gradient. */
  private static List<GradientValue> extremeGradient(Ops tf, Operation op, Output dy) {
    Output tensor = op.input(0);
    Output indices = op.input(1);
    Output updates = op.input(2);
    Output result = op.output(0);
    Output kept = tf.cast(tf.equal(tensor, result), dy.type());
    Output taken = tf.cast(tf.equal(updates, tf.array.gatherNd(result, indices)), dy.type());
    Output takers = tf.array.scatterNd(indices, taken, tf.array.shape(tensor, indices.type()));
    Output share = tf.div(dy, tf.add(kept, takers));
    return gradients(tf.mul(share, kept), tf.mul(tf.array.gatherNd(share, indices), taken));
  }

  private static List<GradientValue> sliceGradient(Ops tf, Operation op, Output dy) {
    SliceSpec.Masks masks = SliceOps.masks(op.attributes());
    GradientValue none = GradientValue.none();
    Output ofValue = tf.array.stridedSlice(dy, op.input(1), op.input(2), op.input(3), masks);
    Output ofInput =
        SliceOps.withMasks(
                tf.scope()
                    .operation("TensorStridedSliceUpdate")
                    .input(dy)
                    .input(op.input(1))
                    .input(op.input(2))
                    .input(op.input(3))
                    .input(tf.zerosLike(op.input(4))),
                masks)
            .buildOutput();
    return List.of(ofInput, none, none, none, ofValue);
  }

  private static List<GradientValue> gatherGradient(Ops tf, Operation op, Output dy) {
    Output indices = op.input(1);
    Output shape =
        tf.scope()
            .operation("VariableShape")
            .input(op.input(0))
            .attr("out_type", indices.type())
            .buildOutput();
    return List.of(tf.array.scatterNd(indices, dy, shape), GradientValue.none());
  }

  /** A tensor with updates in place of the rows that index vectors name. */
  public Output tensorScatterUpdate(Operand tensor, Operand indices, Operand updates) {
    return changed("TensorScatterUpdate", tensor, indices, updates);
  }

  /** A tensor with updates added to the rows that index vectors name. */
  public Output tensorScatterAdd(Operand tensor, Operand indices, Operand updates) {
    return changed("TensorScatterAdd", tensor, indices, updates);
  }

  public Output tensorScatterSub(Operand tensor, Operand indices, Operand updates) {
    return changed("TensorScatterSub", tensor, indices, updates);
  }

  /** A tensor whose rows that index vectors name are the lesser of themselves and the updates. */
  public Output tensorScatterMin(Operand tensor, Operand indices, Operand updates) {
    return changed("TensorScatterMin", tensor, indices, updates);
  }

  public Output tensorScatterMax(Operand tensor, Operand indices, Operand updates) {
    return changed("TensorScatterMax", tensor, indices, updates);
  }

  private Output changed(String type, Operand tensor, Operand indices, Operand updates) {
    return scope.operation(type).input(tensor).input(indices).input(updates).buildOutput();
  }

  /** Replaces the rows of a resource variable that index vectors name. */
  public Operation resourceScatterNdUpdate(Output resource, Operand indices, Operand updates) {
    return change("ResourceScatterNdUpdate", resource, indices, updates);
  }

  public Operation resourceScatterNdAdd(Output resource, Operand indices, Operand updates) {
    return change("ResourceScatterNdAdd", resource, indices, updates);
  }

  public Operation resourceScatterNdSub(Output resource, Operand indices, Operand updates) {
    return change("ResourceScatterNdSub", resource, indices, updates);
  }

  private Operation change(String type, Output resource, Operand indices, Operand updates) {
    return scope.operation(type).input(resource).input(indices).input(updates).build();
  }

  /** The parts of a resource variable that index vectors name. */
  public Output resourceGatherNd(Output resource, Operand indices, DataType type) {
    return scope
        .operation("ResourceGatherNd")
        .input(resource)
        .input(indices)
        .attr("dtype", type)
        .buildOutput();
  }
}
