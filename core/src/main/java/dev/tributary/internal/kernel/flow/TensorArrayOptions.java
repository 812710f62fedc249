package dev.tributary.internal.kernel.flow;

import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/**
 * The kind of a {@link TensorArray}.
 *
 * @param elementShape what is known of every element's shape
 * @param dynamicSize whether writing past the end makes it longer
 * @param clearAfterRead whether reading forgets an element
 * @param identicalShapes whether the first element's shape is every element's
 * @param addsWrites whether a second write to an element is added to the first, rather than refused
 */
public record TensorArrayOptions(
    DataType type,
    Shape elementShape,
    boolean dynamicSize,
    boolean clearAfterRead,
    boolean identicalShapes,
    boolean addsWrites) {
  public static TensorArrayOptions of(Attributes attributes) {
    return new TensorArrayOptions(
        attributes.type("dtype"),
        attributes.shape("element_shape"),
        attributes.bool("dynamic_size"),
        attributes.bool("clear_after_read"),
        attributes.bool("identical_element_shapes"),
        false);
  }

  TensorArrayOptions forGradient(Shape shape) {
    return new TensorArrayOptions(type, shape, false, true, identicalShapes, true);
  }
}
