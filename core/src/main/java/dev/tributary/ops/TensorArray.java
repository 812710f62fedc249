package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.flow.TensorArrayKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * An array of tensors in a graph, for loops to fill and read. Immutable: writing gives an array
 * that stands for the state after the write. Its {@link #flow} is a loop variable like others;
 * {@link #withFlow} is the array seen from the loop's body.
 *
 * <pre>{@code
 * TensorArray squares = TensorArray.of(tf, DataType.FLOAT, Shape.scalar(), tf.constant(10));
 * List<Output> end = tf.flow.whileLoop(
 *     List.of(tf.constant(0), squares.flow()),
 *     (t, v) -> t.less(v.get(0), t.constant(10)),
 *     (t, v) -> List.of(next(t, v.get(0)), squares.withFlow(t, v.get(1)).write(v.get(0), square(t, v.get(0))).flow()));
 * Output all = squares.withFlow(tf, end.get(1)).stack();
 * }</pre>
 */
public final class TensorArray {
  private final Scope scope;
  private final DataType type;
  private final Output handle;
  private final Output flow;

  private TensorArray(Scope scope, DataType type, Output handle, Output flow) {
    this.scope = scope;
    this.type = type;
    this.handle = handle;
    this.flow = flow;
  }

  /** The gradients are the opposite ops on an array of gradients. */
  static List<OpDeclaration> declarations() {
    return List.of(
        op("TensorArrayV3")
            .input("size: int32")
            .output("handle: resource")
            .output("flow: float")
            .attr("dtype: type")
            .attr("element_shape: shape = { unknown_rank: true }")
            .attr("dynamic_size: bool = false")
            .attr("clear_after_read: bool = true")
            .attr("identical_element_shapes: bool = false")
            .attr("tensor_array_name: string = ''")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(
                c -> {
                  c.withRank(0, 0);
                  ShapeRules.scalar(c);
                  c.outputHandle(0, c.attributes().shape("element_shape"));
                })
            .kernel(TensorArrayKernels::make)
            .notDifferentiable(),
        op("TensorArrayGradV3")
            .input("handle: resource")
            .input("flow_in: float")
            .output("grad_handle: resource")
            .output("flow_out: float")
            .attr("source: string")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(
                c -> {
                  ShapeRules.scalar(c);
                  c.outputHandles(0, c.inputHandles(0));
                })
            .kernel(TensorArrayKernels::gradient)
            .notDifferentiable(),
        op("TensorArrayWriteV3")
            .input("handle: resource")
            .input("index: int32")
            .input("value: T")
            .input("flow_in: float")
            .output("flow_out: float")
            .attr("T: type")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(
                c -> {
                  c.withRank(1, 0);
                  ShapeRules.scalar(c);
                })
            .kernel(node -> TensorArrayKernels::write)
            .grad(
                (tf, op, flow) -> {
                  TensorArray gradients =
                      TensorArray.gradientsAfter(tf, op, op.attributes().type("T"), flow);
                  return List.of(none(), none(), gradients.read(op.input(1)), flow);
                }),
        op("TensorArrayReadV3")
            .input("handle: resource")
            .input("index: int32")
            .input("flow_in: float")
            .output("value: dtype")
            .attr("dtype: type")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(
                c -> {
                  c.withRank(1, 0);
                  c.output(0, c.inputHandle(0));
                })
            .kernel(node -> TensorArrayKernels::read)
            .grad(
                (tf, op, dy) -> {
                  TensorArray gradients = TensorArray.gradientsOf(tf, op, dy.type(), op.input(2));
                  return List.of(none(), none(), gradients.write(op.input(1), dy).flow());
                }),
        op("TensorArrayGatherV3")
            .input("handle: resource")
            .input("indices: int32")
            .input("flow_in: float")
            .output("value: dtype")
            .attr("dtype: type")
            .attr("element_shape: shape = { unknown_rank: true }")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(TensorArray::gatherShape)
            .kernel(TensorArrayKernels::gather)
            .grad(
                (tf, op, dy) -> {
                  TensorArray gradients = TensorArray.gradientsOf(tf, op, dy.type(), op.input(2));
                  return List.of(none(), none(), gradients.scatter(op.input(1), dy).flow());
                }),
        op("TensorArrayScatterV3")
            .input("handle: resource")
            .input("indices: int32")
            .input("value: T")
            .input("flow_in: float")
            .output("flow_out: float")
            .attr("T: type")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(
                c -> {
                  c.withRank(1, 1);
                  ShapeRules.scalar(c);
                })
            .kernel(node -> TensorArrayKernels::scatter)
            .grad(
                (tf, op, flow) -> {
                  TensorArray gradients =
                      TensorArray.gradientsAfter(tf, op, op.attributes().type("T"), flow);
                  return List.of(none(), none(), gradients.gather(op.input(1)), flow);
                }),
        op("TensorArrayConcatV3")
            .input("handle: resource")
            .input("flow_in: float")
            .output("value: dtype")
            .output("lengths: int64")
            .attr("dtype: type")
            .attr("element_shape_except0: shape = { unknown_rank: true }")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(c -> c.output(1, Shape.ofRank(1)))
            .kernel(TensorArrayKernels::concat)
            .gradRule(
                (scope, op, dy) -> {
                  Output value = (Output) dy.get(0);
                  TensorArray gradients =
                      TensorArray.gradientsOf(new Ops(scope), op, value.type(), op.input(1));
                  return List.of(none(), gradients.split(value, op.output(1)).flow());
                }),
        op("TensorArraySplitV3")
            .input("handle: resource")
            .input("value: T")
            .input("lengths: int64")
            .input("flow_in: float")
            .output("flow_out: float")
            .attr("T: type")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(ShapeRules::scalar)
            .kernel(node -> TensorArrayKernels::split)
            .grad(
                (tf, op, flow) -> {
                  TensorArray gradients =
                      TensorArray.gradientsAfter(tf, op, op.attributes().type("T"), flow);
                  return List.of(none(), gradients.concat(), none(), flow);
                }),
        op("TensorArraySizeV3")
            .input("handle: resource")
            .input("flow_in: float")
            .output("size: int32")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(ShapeRules::scalar)
            .kernel(node -> TensorArrayKernels::size)
            .notDifferentiable(),
        op("TensorArrayCloseV3")
            .input("handle: resource")
            .stateful()
            .flag(OpFlag.NEVER_WAITS)
            .shape(ShapeRules::unknown)
            .kernel(node -> TensorArrayKernels::close)
            .notDifferentiable());
  }

  private static void gatherShape(InferenceContext c) {
    Shape indices = c.withRank(1, 1);
    Shape element = c.attributes().shape("element_shape");
    c.output(
        0, Shape.of(indices.size(0)).concatenate(element.hasRank() ? element : c.inputHandle(0)));
  }

  private static GradientValue none() {
    return GradientValue.none();
  }

  /** An array of fixed size whose elements are read once. */
  public static TensorArray of(Ops tf, DataType type, Shape elementShape, Operand size) {
    return of(tf, type, elementShape, size, false, true);
  }

  /**
   * An array.
   *
   * @param dynamicSize whether it grows when it is written past its end
   * @param clearAfterRead whether an element is forgotten when it is read
   */
  public static TensorArray of(
      Ops tf,
      DataType type,
      Shape elementShape,
      Operand size,
      boolean dynamicSize,
      boolean clearAfterRead) {
    Operation made =
        tf.scope()
            .operation("TensorArrayV3")
            .input(size)
            .attr("dtype", type)
            .attr("element_shape", elementShape)
            .attr("dynamic_size", dynamicSize)
            .attr("clear_after_read", clearAfterRead)
            .attr("identical_element_shapes", elementShape.isFullyDefined())
            .build();
    return new TensorArray(tf.scope(), type, made.output(0), made.output(1));
  }

  /** The array of gradients that belongs to the array which {@code op} reads. */
  static TensorArray gradientsOf(Ops tf, Operation op, DataType type, Output flow) {
    Operation made =
        tf.scope()
            .operation("TensorArrayGradV3")
            .input(op.input(0))
            .input(flow)
            .attr("source", source(tf.scope()))
            .build();
    Output ordered =
        tf.scope()
            .withControlDependencies(List.of(made))
            .withName("gradient_flow")
            .operation("Identity")
            .input(flow)
            .buildOutput();
    return new TensorArray(tf.scope(), type, made.output(0), ordered);
  }

  /**
   * The same for an op that writes: gradients are read only when the write they belong to has been
   * done.
   */
  static TensorArray gradientsAfter(Ops tf, Operation op, DataType type, Output flow) {
    Output written = tf.identity(op.output(0));
    Output barrier =
        tf.scope()
            .withControlDependencies(List.of(written.operation()))
            .withName("write_barrier")
            .operation("Identity")
            .input(flow)
            .buildOutput();
    return gradientsOf(tf, op, type, barrier);
  }

  public Output handle() {
    return handle;
  }

  /** The value that later operations on the array must wait for. */
  public Output flow() {
    return flow;
  }

  /** The same array in another state, for operations in the scope of {@code tf}. */
  public TensorArray withFlow(Ops tf, Operand newFlow) {
    return new TensorArray(tf.scope(), type, handle, newFlow.asOutput());
  }

  public Output read(Operand index) {
    return scope
        .operation("TensorArrayReadV3")
        .input(handle)
        .input(index)
        .input(flow)
        .attr("dtype", type)
        .buildOutput();
  }

  public TensorArray write(Operand index, Operand value) {
    return written("TensorArrayWriteV3", index, value);
  }

  /** All elements, as one tensor with a dimension more. */
  public Output stack() {
    Ops tf = new Ops(scope);
    return gather(upTo(tf, size()));
  }

  /** Writes the slices of {@code value} along its first dimension, from element 0 on. */
  public TensorArray unstack(Operand value) {
    Ops tf = new Ops(scope);
    Output rows =
        scope
            .operation("StridedSlice")
            .input(tf.shape(value))
            .input(tf.constant(new int[] {0}))
            .input(tf.constant(new int[] {1}))
            .input(tf.constant(new int[] {1}))
            .attr("shrink_axis_mask", 1)
            .buildOutput();
    return scatter(upTo(tf, rows), value);
  }

  public Output gather(Operand indices) {
    return scope
        .operation("TensorArrayGatherV3")
        .input(handle)
        .input(indices)
        .input(flow)
        .attr("dtype", type)
        .buildOutput();
  }

  public TensorArray scatter(Operand indices, Operand value) {
    return written("TensorArrayScatterV3", indices, value);
  }

  /** All elements, joined along their first dimension. */
  public Output concat() {
    return scope
        .operation("TensorArrayConcatV3")
        .input(handle)
        .input(flow)
        .attr("dtype", type)
        .build()
        .output(0);
  }

  /** Cuts {@code value} along its first dimension into elements of these lengths. */
  public TensorArray split(Operand value, Operand lengths) {
    return written("TensorArraySplitV3", value, lengths);
  }

  public Output size() {
    return scope.operation("TensorArraySizeV3").input(handle).input(flow).buildOutput();
  }

  /** Gives back the elements before the step ends. */
  public Operation close() {
    return scope.operation("TensorArrayCloseV3").input(handle).build();
  }

  /** The state after an op that takes the handle, two inputs of its own, and the flow. */
  private TensorArray written(String op, Operand first, Operand second) {
    Output after =
        scope.operation(op).input(handle).input(first).input(second).input(flow).buildOutput();
    return new TensorArray(scope, type, handle, after);
  }

  private static Output upTo(Ops tf, Output limit) {
    return tf.scope()
        .operation("Range")
        .input(tf.constant(0))
        .input(limit)
        .input(tf.constant(1))
        .buildOutput();
  }

  /**
   * The name that groups the gradients of one call. The names of its operations start alike, up to
   * the part that begins with "gradients".
   */
  private static String source(Scope gradientScope) {
    String[] parts = gradientScope.prefix().split("/");
    int last = 0;
    for (int i = 0; i < parts.length; i++) {
      last = parts[i].startsWith("gradients") ? i : last;
    }
    return String.join("/", List.of(parts).subList(0, last + 1));
  }
}
