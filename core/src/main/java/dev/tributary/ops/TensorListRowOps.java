package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.variant.TensorListKernels;
import dev.tributary.internal.kernel.variant.TensorListRows;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Lists of the rows of tensors, and tensors of the elements of lists. */
abstract sealed class TensorListRowOps permits TensorListOps {
  final Scope scope;

  TensorListRowOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("TensorListFromTensor")
            .input("tensor: element_dtype")
            .input("element_shape: shape_type")
            .output("output_handle: variant")
            .attr("element_dtype: type")
            .attr("shape_type: {int32, int64}")
            .shape(
                c -> {
                  Shape rows = c.withRankAtLeast(0, 1);
                  Shape given = elementShape(c, 1);
                  requireElement(given, rows.hasRank() ? rows.slice(1, rows.rank()) : rows);
                  list(c, given);
                })
            .kernel(node -> TensorListRows::fromTensor)
            .grad(TensorListGradients::ofFromTensor),
        op("TensorListStack")
            .input("input_handle: variant")
            .input("element_shape: int32")
            .output("tensor: element_dtype")
            .attr("element_dtype: type")
            .attr("num_elements: int = -1")
            .shape(
                c -> {
                  int rows = c.attributes().int32("num_elements");
                  Shape element = elementShape(c, 1).merge(c.inputHandle(0));
                  c.output(0, Shape.of(rows < 0 ? Shape.UNKNOWN : rows).concatenate(element));
                })
            .kernel(TensorListRows::stack)
            .grad(TensorListGradients::ofStack),
        op("TensorListGather")
            .input("input_handle: variant")
            .input("indices: int32")
            .input("element_shape: int32")
            .output("values: element_dtype")
            .attr("element_dtype: type")
            .shape(
                c -> {
                  Shape element = elementShape(c, 2).merge(c.inputHandle(0));
                  c.output(0, c.input(1).concatenate(element));
                })
            .kernel(TensorListRows::gather)
            .grad(TensorListGradients::ofGather),
        scatter("TensorListScatter").grad(TensorListGradients::ofScatter),
        scatter("TensorListScatterV2")
            .input("num_elements: int32")
            .grad(TensorListGradients::ofScatter),
        op("TensorListScatterIntoExistingList")
            .input("input_handle: variant")
            .input("tensor: element_dtype")
            .input("indices: int32")
            .output("output_handle: variant")
            .attr("element_dtype: type")
            .shape(
                c -> {
                  c.withRankAtLeast(1, 1);
                  c.withRank(2, 1);
                  changed(c);
                })
            .kernel(TensorListRows::scatterInto)
            .grad(TensorListGradients::ofScatterInto),
        op("TensorListConcat")
            .input("input_handle: variant")
            .output("tensor: element_dtype")
            .output("lengths: int64")
            .attr("element_dtype: type")
            .attr("element_shape: shape = { unknown_rank: true }")
            .shape(c -> concatShape(c, c.attributes().shape("element_shape")))
            .kernel(TensorListRows::concat)
            .gradRule(TensorListGradients::ofConcat),
        op("TensorListConcatV2")
            .input("input_handle: variant")
            .input("element_shape: shape_type")
            .input("leading_dims: int64")
            .output("tensor: element_dtype")
            .output("lengths: int64")
            .attr("element_dtype: type")
            .attr("shape_type: {int32, int64}")
            .shape(c -> concatShape(c, elementShape(c, 1)))
            .kernel(TensorListRows::concatV2)
            .gradRule(TensorListGradients::ofConcat),
        op("TensorListSplit")
            .input("tensor: element_dtype")
            .input("element_shape: shape_type")
            .input("lengths: int64")
            .output("output_handle: variant")
            .attr("element_dtype: type")
            .attr("shape_type: {int32, int64}")
            .shape(
                c -> {
                  c.withRankAtLeast(0, 1);
                  c.withRank(2, 1);
                  list(c, elementShape(c, 1));
                })
            .kernel(node -> TensorListRows::split)
            .grad(TensorListGradients::ofSplit),
        op("TensorListPushBackBatch")
            .input("input_handles: variant")
            .input("tensor: element_dtype")
            .output("output_handles: variant")
            .attr("element_dtype: type")
            .shape(
                c -> {
                  Shape lists = c.withRank(0, 1);
                  c.withRankAtLeast(1, 1);
                  c.output(0, lists);
                  c.outputHandles(0, c.inputHandles(0));
                })
            .kernel(TensorListKernels::pushBackBatch)
            .notDifferentiable());
  }

  private static Declaration scatter(String name) {
    return op(name)
        .input("tensor: element_dtype")
        .input("indices: int32")
        .input("element_shape: shape_type")
        .output("output_handle: variant")
        .attr("element_dtype: type")
        .attr("shape_type: {int32, int64}")
        .shape(c -> list(c, elementShape(c, 2)))
        .kernel(node -> TensorListRows::scatter);
  }

  // ---- shape rules ----

  /** The element shape that an input gives for a list; a scalar gives none. */
  static Shape elementShape(InferenceContext c, int i) {
    return c.input(i).hasRank() && c.input(i).rank() > 0 ? c.knownShape(i) : Shape.unknown();
  }

  /** The output is a list of elements of this shape. */
  static void list(InferenceContext c, Shape element) {
    c.output(0, Shape.scalar());
    c.outputHandle(0, element);
  }

  static void requireElement(Shape elements, Shape element) {
    if (!elements.isCompatibleWith(element)) {
      throw TributaryException.invalidArgument(
          "a list of elements of shape %s cannot hold one of shape %s", elements, element);
    }
  }

  /** The output is a list like that of the first input. */
  static void changed(InferenceContext c) {
    c.output(0, Shape.scalar());
    c.outputHandles(0, c.inputHandles(0));
  }

  private static void concatShape(InferenceContext c, Shape given) {
    Shape element = given.merge(c.inputHandle(0));
    if (element.hasRank() && element.rank() > 0) {
      c.output(0, element.withSize(0, Shape.UNKNOWN));
    }
    c.output(1, Shape.ofRank(1));
  }

  // ---- client methods ----

  /** A list of the rows of a tensor. */
  public Output fromTensor(Operand tensor) {
    Shape rows = tensor.asOutput().shape();
    return fromTensor(
        tensor, shape(rows.hasRank() && rows.rank() > 0 ? rows.slice(1, rows.rank()) : rows));
  }

  Output fromTensor(Operand tensor, Operand elementShape) {
    return scope.operation("TensorListFromTensor").input(tensor).input(elementShape).buildOutput();
  }

  /** The elements of a list as one tensor with a dimension more. All have one shape. */
  public Output stack(Operand list, DataType type, Shape elementShape) {
    return stack(list, type, shape(elementShape), -1);
  }

  Output stack(Operand list, DataType type, Operand elementShape, long count) {
    return scope
        .operation("TensorListStack")
        .input(list)
        .input(elementShape)
        .attr("element_dtype", type)
        .attr("num_elements", count)
        .buildOutput();
  }

  /** Some elements of a list as one tensor with a dimension more. */
  public Output gather(Operand list, Operand indices, DataType type, Shape elementShape) {
    return gather(list, indices, type, shape(elementShape));
  }

  Output gather(Operand list, Operand indices, DataType type, Operand elementShape) {
    return scope
        .operation("TensorListGather")
        .input(list)
        .input(indices)
        .input(elementShape)
        .attr("element_dtype", type)
        .buildOutput();
  }

  /** The list with the rows of a tensor at these indices, longer if one is past the end. */
  public Output scatter(Operand list, Operand tensor, Operand indices) {
    return scope
        .operation("TensorListScatterIntoExistingList")
        .input(list)
        .input(tensor)
        .input(indices)
        .buildOutput();
  }

  /** The elements of a list one after the other along their first dimension. */
  public Output concat(Operand list, DataType type, Shape elementShape) {
    return concat(list, type, shape(elementShape), constants().constant(new long[0]));
  }

  Output concat(Operand list, DataType type, Operand elementShape, Operand leadingSizes) {
    return scope
        .operation("TensorListConcatV2")
        .input(list)
        .input(elementShape)
        .input(leadingSizes)
        .attr("element_dtype", type)
        .build()
        .output(0);
  }

  /** A list of parts of a tensor, cut along its first dimension. */
  public Output split(Operand tensor, Operand lengths) {
    Shape rows = tensor.asOutput().shape();
    boolean hasRows = rows.hasRank() && rows.rank() > 0;
    return split(tensor, shape(hasRows ? rows.withSize(0, Shape.UNKNOWN) : rows), lengths);
  }

  Output split(Operand tensor, Operand elementShape, Operand lengths) {
    return scope
        .operation("TensorListSplit")
        .input(tensor)
        .input(elementShape)
        .input(lengths)
        .buildOutput();
  }

  /** A shape input: a vector with -1 for unknown sizes, or -1. */
  Output shape(Shape shape) {
    Ops tf = constants();
    if (!shape.hasRank()) {
      return tf.constant(-1);
    }
    int[] sizes = new int[shape.rank()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = Math.toIntExact(shape.size(i));
    }
    return tf.constant(sizes);
  }

  /** For the constants that an op takes; the name that the caller gives is the op's. */
  Ops constants() {
    return new Ops(scope.withoutName());
  }
}
