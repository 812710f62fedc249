package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.variant.TensorListKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Lists of tensors: values that loops, branches and functions pass on like others, held by variant
 * scalars. An op that changes a list gives another list. Elements that were never set are zeros.
 *
 * <pre>{@code
 * Output squares = tf.lists.reserve(DataType.FLOAT, Shape.scalar(), tf.constant(10));
 * List<Output> end = tf.flow.whileLoop(
 *     List.of(tf.constant(0), squares),
 *     (t, v) -> t.less(v.get(0), t.constant(10)),
 *     (t, v) -> List.of(next(t, v.get(0)), t.lists.setItem(v.get(1), v.get(0), square(t, v.get(0)))));
 * Output all = tf.lists.stack(end.get(1), DataType.FLOAT, Shape.scalar());
 * }</pre>
 */
public final class TensorListOps extends TensorListRowOps {
  TensorListOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("EmptyTensorList")
            .input("element_shape: shape_type")
            .input("max_num_elements: int32")
            .output("handle: variant")
            .attr("element_dtype: type")
            .attr("shape_type: {int32, int64}")
            .shape(c -> list(c, elementShape(c, 0)))
            .kernel(TensorListKernels::empty)
            .notDifferentiable(),
        op("TensorListReserve")
            .input("element_shape: shape_type")
            .input("num_elements: int32")
            .output("handle: variant")
            .attr("element_dtype: type")
            .attr("shape_type: {int32, int64}")
            .shape(c -> list(c, elementShape(c, 0)))
            .kernel(TensorListKernels::reserve)
            .notDifferentiable(),
        op("TensorListPushBack")
            .input("input_handle: variant")
            .input("tensor: element_dtype")
            .output("output_handle: variant")
            .attr("element_dtype: type")
            .shape(c -> changedBy(c, 1))
            .kernel(TensorListKernels::pushBack)
            .grad(TensorListGradients::ofPushBack),
        op("TensorListPopBack")
            .input("input_handle: variant")
            .input("element_shape: int32")
            .output("output_handle: variant")
            .output("tensor: element_dtype")
            .attr("element_dtype: type")
            .shape(
                c -> {
                  changed(c);
                  c.output(1, elementShape(c, 1).merge(c.inputHandle(0)));
                })
            .kernel(TensorListKernels::popBack)
            .gradAll(TensorListGradients::ofPopBack),
        op("TensorListGetItem")
            .input("input_handle: variant")
            .input("index: int32")
            .input("element_shape: int32")
            .output("item: element_dtype")
            .attr("element_dtype: type")
            .shape(c -> c.output(0, elementShape(c, 2).merge(c.inputHandle(0))))
            .kernel(TensorListKernels::getItem)
            .grad(TensorListGradients::ofGetItem),
        op("TensorListSetItem")
            .input("input_handle: variant")
            .input("index: int32")
            .input("item: element_dtype")
            .output("output_handle: variant")
            .attr("element_dtype: type")
            .attr("resize_if_index_out_of_bounds: bool = false")
            .shape(c -> changedBy(c, 2))
            .kernel(TensorListKernels::setItem)
            .grad(TensorListGradients::ofSetItem),
        op("TensorListLength")
            .input("input_handle: variant")
            .output("length: int32")
            .shape(ShapeRules::scalar)
            .flag(OpFlag.METADATA)
            .kernel(node -> TensorListKernels::length)
            .notDifferentiable(),
        op("TensorListElementShape")
            .input("input_handle: variant")
            .output("element_shape: shape_type")
            .attr("shape_type: {int32, int64}")
            .shape(
                c -> {
                  Shape element = c.inputHandle(0);
                  c.output(0, element.hasRank() ? Shape.of(element.rank()) : Shape.unknown());
                })
            .flag(OpFlag.METADATA)
            .kernel(node -> TensorListKernels::elementShape)
            .notDifferentiable(),
        op("TensorListResize")
            .input("input_handle: variant")
            .input("size: int32")
            .output("output_handle: variant")
            .shape(
                c -> {
                  c.withRank(1, 0);
                  changed(c);
                })
            .kernel(node -> TensorListKernels::resize)
            .grad(TensorListGradients::ofResize),
        op("TensorListConcatLists")
            .input("input_a: variant")
            .input("input_b: variant")
            .output("output: variant")
            .attr("element_dtype: type")
            .shape(
                c -> {
                  c.output(0, c.merged(0, 1));
                  c.outputHandles(0, c.inputHandles(0));
                })
            .kernel(TensorListKernels::concatLists)
            .notDifferentiable());
  }

  /** An item goes into the list, so it must be like the others. */
  private static void changedBy(InferenceContext c, int item) {
    requireElement(c.inputHandle(0), c.input(item));
    changed(c);
  }

  /** A list without elements, for {@link #pushBack}. */
  public Output empty(DataType type, Shape elementShape) {
    return scope
        .operation("EmptyTensorList")
        .input(shape(elementShape))
        .input(constants().constant(-1))
        .attr("element_dtype", type)
        .buildOutput();
  }

  /** A list of so many elements that are not set yet, for {@link #setItem}. */
  public Output reserve(DataType type, Shape elementShape, Operand size) {
    return reserve(type, shape(elementShape), size);
  }

  Output reserve(DataType type, Operand elementShape, Operand size) {
    return scope
        .operation("TensorListReserve")
        .input(elementShape)
        .input(size)
        .attr("element_dtype", type)
        .buildOutput();
  }

  /** The list with an item more at its end. */
  public Output pushBack(Operand list, Operand item) {
    return scope.operation("TensorListPushBack").input(list).input(item).buildOutput();
  }

  /** The list without its last item, and that item. */
  public List<Output> popBack(Operand list, DataType type, Shape elementShape) {
    return popBack(list, type, shape(elementShape));
  }

  List<Output> popBack(Operand list, DataType type, Operand elementShape) {
    return scope
        .operation("TensorListPopBack")
        .input(list)
        .input(elementShape)
        .attr("element_dtype", type)
        .build()
        .outputs();
  }

  public Output getItem(Operand list, Operand index, DataType type, Shape elementShape) {
    return getItem(list, index, type, shape(elementShape));
  }

  Output getItem(Operand list, Operand index, DataType type, Operand elementShape) {
    return scope
        .operation("TensorListGetItem")
        .input(list)
        .input(index)
        .input(elementShape)
        .attr("element_dtype", type)
        .buildOutput();
  }

  /** The list with another item at an index. */
  public Output setItem(Operand list, Operand index, Operand item) {
    return scope.operation("TensorListSetItem").input(list).input(index).input(item).buildOutput();
  }

  public Output length(Operand list) {
    return scope.operation("TensorListLength").input(list).buildOutput();
  }

  /** The known shape of every element, with -1 for unknown sizes. */
  Output elementShape(Operand list) {
    return scope
        .operation("TensorListElementShape")
        .input(list)
        .attr("shape_type", DataType.INT32)
        .buildOutput();
  }

  /** The list with its first elements only, or with more that are not set. */
  public Output resize(Operand list, Operand size) {
    return scope.operation("TensorListResize").input(list).input(size).buildOutput();
  }
}
