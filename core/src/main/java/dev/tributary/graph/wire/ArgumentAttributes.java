package dev.tributary.graph.wire;

import dev.tributary.internal.library.FunctionBody;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;

/** The attributes of a function's argument, on the {@code _Arg} node that stands for it. */
final class ArgumentAttributes {
  private static final String SHAPES = "_output_shapes";

  private ArgumentAttributes() {}

  /**
   * Copies an attribute of an argument to its node. Shapes go where the node looks for them: an
   * import forgets those that a writer noted down.
   */
  static void copy(String name, AttrValue value, NodeDef.Builder node) {
    if (name.equals(SHAPES) && value.getList().getShapeCount() == 1) {
      node.putAttr(
          FunctionBody.ARGUMENT_SHAPE,
          AttrValue.newBuilder().setShape(value.getList().getShape(0)).build());
    } else if (name.startsWith("_")) {
      node.putAttr(name, value);
    }
  }
}
