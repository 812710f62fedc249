package dev.tributary.internal.op;

import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Shape rules that many ops share, by name. */
public final class ShapeRules {
  private ShapeRules() {}

  /** Every output has the first input's shape. */
  public static void unchanged(InferenceContext context) {
    for (int i = 0; i < context.outputCount(); i++) {
      context.output(i, context.input(0));
    }
  }

  /** Every output is a scalar. */
  public static void scalar(InferenceContext context) {
    for (int i = 0; i < context.outputCount(); i++) {
      context.output(i, Shape.scalar());
    }
  }

  /** Nothing is known before the op runs; also for ops without outputs. */
  public static void unknown(InferenceContext context) {}

  /** The first output has the shape that attribute {@code shape} gives. */
  public static void fromAttribute(InferenceContext context) {
    context.output(0, context.attributes().shape("shape"));
  }

  /** All inputs have one shape, which is the output's too. */
  public static void allSame(InferenceContext context) {
    Shape shape = context.input(0);
    for (int i = 1; i < context.inputCount(); i++) {
      context.merged(0, i);
      shape = shape.merge(context.input(i));
    }
    context.output(0, shape);
  }

  /** Merges the shapes in a value that is one of two. */
  public static List<Shape> common(List<Shape> a, List<Shape> b) {
    if (a.size() != b.size()) {
      return List.of();
    }
    List<Shape> common = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      common.add(common(a.get(i), b.get(i)));
    }
    return common;
  }

  /** Merges the shapes of a value that has one or the other. */
  public static Shape common(Shape a, Shape b) {
    if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank()) {
      return Shape.unknown();
    }
    Shape common = a;
    for (int i = 0; i < a.rank(); i++) {
      common = a.size(i) == b.size(i) ? common : common.withSize(i, Shape.UNKNOWN);
    }
    return common;
  }
}
