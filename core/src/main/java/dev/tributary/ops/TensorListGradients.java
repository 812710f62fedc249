package dev.tributary.ops;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.flow.WhileContext;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Gradients of list ops, which are list ops themselves: the gradient of a list is a list of the
 * elements' gradients.
 *
 * <p>What a gradient needs of a value is its size or shape. In a loop that is computed beside the
 * op, so that the history keeps a few numbers of each iteration. A history of lists would be seen
 * by others: every change of the list would have to copy it.
 */
final class TensorListGradients {
  private TensorListGradients() {}

  static List<Output> ofPushBack(Ops tf, Operation op, Output dy) {
    return tf.lists.popBack(dy, type(op), shapeOf(tf, op, op.input(1)));
  }

  static List<GradientValue> ofPopBack(Ops tf, Operation op, List<Output> dy) {
    return List.of(tf.lists.pushBack(dy.get(0), dy.get(1)), none());
  }

  static List<GradientValue> ofGetItem(Ops tf, Operation op, Output dy) {
    return List.of(tf.lists.setItem(unsetLike(tf, op), op.input(1), dy), none(), none());
  }

  /** The item is read first, so that then nobody else sees the list, and it can be changed. */
  static List<GradientValue> ofSetItem(Ops tf, Operation op, Output dy) {
    Output item = op.input(2);
    Output ofItem = tf.lists.getItem(dy, op.input(1), item.type(), shapeOf(tf, op, item));
    Output zeros = Dense.zeros(tf.scope(), item, item.type());
    Ops then = tf.withControlDependencies(ofItem.operation());
    return List.of(then.lists.setItem(dy, op.input(1), zeros), none(), ofItem);
  }

  static List<GradientValue> ofResize(Ops tf, Operation op, Output dy) {
    return List.of(tf.lists.resize(dy, lengthOf(tf, op)), none());
  }

  static List<GradientValue> ofFromTensor(Ops tf, Operation op, Output dy) {
    Output rows = op.input(0);
    long count = rows.shape().hasRank() ? rows.shape().size(0) : Shape.UNKNOWN;
    return List.of(tf.lists.stack(dy, rows.type(), rowShapeOf(tf, op, rows), count), none());
  }

  static List<GradientValue> ofStack(Ops tf, Operation op, Output dy) {
    return List.of(tf.lists.fromTensor(dy), none());
  }

  static List<GradientValue> ofGather(Ops tf, Operation op, Output dy) {
    return List.of(tf.lists.scatter(unsetLike(tf, op), dy, op.input(1)), none(), none());
  }

  /** Of both versions, one of which has an input more. */
  static List<GradientValue> ofScatter(Ops tf, Operation op, Output dy) {
    Output rows = op.input(0);
    Output ofRows = tf.lists.gather(dy, op.input(1), rows.type(), rowShapeOf(tf, op, rows));
    return op.inputs().size() == 3
        ? List.of(ofRows, none(), none())
        : List.of(ofRows, none(), none(), none());
  }

  static List<GradientValue> ofScatterInto(Ops tf, Operation op, Output dy) {
    Output rows = op.input(1);
    Output ofRows = tf.lists.gather(dy, op.input(2), rows.type(), rowShapeOf(tf, op, rows));
    Output zeros = Dense.zeros(tf.scope(), rows, rows.type());
    Ops then = tf.withControlDependencies(ofRows.operation());
    Output ofList = then.lists.scatter(dy, zeros, op.input(2));
    // The op may have made the list longer.
    return List.of(tf.lists.resize(ofList, lengthOf(tf, op)), ofRows, none());
  }

  /** Of both versions; no gradient goes through the lengths. */
  static List<GradientValue> ofConcat(Scope scope, Operation op, List<? extends GradientValue> dy) {
    Ops tf = new Ops(scope);
    Output ofList = tf.lists.split((Output) dy.get(0), elementShapeOf(tf, op), op.output(1));
    return op.inputs().size() == 1 ? List.of(ofList) : List.of(ofList, none(), none());
  }

  static List<GradientValue> ofSplit(Ops tf, Operation op, Output dy) {
    Output tensor = op.input(0);
    Output elementShape = tf.concat(0, tf.constant(new int[] {-1}), rowShapeOf(tf, op, tensor));
    return List.of(tf.lists.concat(dy, tensor.type(), elementShape, op.input(2)), none(), none());
  }

  /** A list like the op's first input in which no element is set. */
  private static Output unsetLike(Ops tf, Operation op) {
    return tf.lists.reserve(type(op), elementShapeOf(tf, op), lengthOf(tf, op));
  }

  private static Output lengthOf(Ops tf, Operation op) {
    return where(tf, op, op.input(0)).lists.length(op.input(0));
  }

  private static Output elementShapeOf(Ops tf, Operation op) {
    Output list = op.input(0);
    Shape known = list.operation().handleShape(list.index());
    return known.isFullyDefined()
        ? tf.lists.shape(known)
        : where(tf, op, list).lists.elementShape(list);
  }

  private static Output shapeOf(Ops tf, Operation op, Output value) {
    return value.shape().isFullyDefined()
        ? tf.lists.shape(value.shape())
        : where(tf, op, value).shape(value);
  }

  private static Output rowShapeOf(Ops tf, Operation op, Output rows) {
    Shape shape = rows.shape();
    if (shape.hasRank() && shape.slice(1, shape.rank()).isFullyDefined()) {
      return tf.lists.shape(shape.slice(1, shape.rank()));
    }
    Ops there = where(tf, op, rows);
    return there.slice(there.shape(rows), new int[] {1}, new int[] {-1});
  }

  /** The scope for the sizes of a value: beside the op if that is in a loop. */
  private static Ops where(Ops tf, Operation op, Output value) {
    boolean isConstant =
        op.flowContext()
            .filter(c -> c instanceof WhileContext loop && loop.isConstant(value))
            .isPresent();
    if (op.flowContext().isEmpty() || isConstant) {
      return tf;
    }
    Scope beside = op.graph().scope().withFlowContext(op.flowContext());
    Scope placed = op.device().isEmpty() ? beside : beside.withDevice(op.device().toString());
    return new Ops(placed.withSubScope(op.name() + "_sizes"));
  }

  private static DataType type(Operation op) {
    return op.attributes().type("element_dtype");
  }

  private static GradientValue none() {
    return GradientValue.none();
  }
}
