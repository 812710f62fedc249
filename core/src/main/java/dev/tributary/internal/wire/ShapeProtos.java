package dev.tributary.internal.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import org.tensorflow.proto.TensorShapeProto;

/** Shapes as messages have them: a list of sizes, where -1 is an unknown one, or no rank at all. */
public final class ShapeProtos {
  /** TensorFlow's own bound. */
  static final int MOST_DIMENSIONS = 254;

  private ShapeProtos() {}

  public static TensorShapeProto toProto(Shape shape) {
    if (!shape.hasRank()) {
      return TensorShapeProto.newBuilder().setUnknownRank(true).build();
    }
    TensorShapeProto.Builder proto = TensorShapeProto.newBuilder();
    for (long size : shape.toArray()) {
      proto.addDimBuilder().setSize(size);
    }
    return proto.build();
  }

  /** A shape as far as it is known, which may be not at all. */
  public static Shape toShape(TensorShapeProto proto) {
    if (proto.getDimCount() > MOST_DIMENSIONS) {
      throw TributaryException.invalidArgument(
          "a shape has at most %d dimensions, got %d", MOST_DIMENSIONS, proto.getDimCount());
    }
    if (proto.getUnknownRank()) {
      if (proto.getDimCount() > 0) {
        throw TributaryException.invalidArgument(
            "a shape of unknown rank has %d sizes", proto.getDimCount());
      }
      return Shape.unknown();
    }
    long[] sizes = new long[proto.getDimCount()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = proto.getDim(i).getSize();
    }
    return Shape.of(sizes);
  }

  /** The shape of a tensor: all sizes are known, and their product is a number. */
  static Shape toTensorShape(TensorShapeProto proto) {
    Shape shape = toShape(proto);
    if (shape.elementCount() < 0) {
      throw TributaryException.invalidArgument("a tensor needs a fully known shape, got %s", shape);
    }
    return shape;
  }
}
