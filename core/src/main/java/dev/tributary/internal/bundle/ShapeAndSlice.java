package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;

/**
 * The part of a tensor that a save or restore op names: {@code "100 64 0,50:-"} is the slice {@code
 * 0,50:-} of a tensor of shape [100,64].
 */
public record ShapeAndSlice(Shape shape, TensorSlice slice) {
  public ShapeAndSlice {
    slice.shapeIn(shape);
  }

  public static ShapeAndSlice parse(String text) {
    String[] parts = text.split(" ", -1);
    long[] sizes = new long[parts.length - 1];
    if (sizes.length == 0) {
      throw unreadable(text);
    }
    for (int i = 0; i < sizes.length; i++) {
      try {
        sizes[i] = Long.parseLong(parts[i]);
      } catch (NumberFormatException e) {
        throw unreadable(text);
      }
      if (sizes[i] < 0) {
        throw unreadable(text);
      }
    }
    return new ShapeAndSlice(Shape.of(sizes), TensorSlice.parse(parts[sizes.length]));
  }

  /** The shape of the part. */
  public Shape sliceShape() {
    return slice.shapeIn(shape);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (long size : shape.toArray()) {
      text.append(size).append(' ');
    }
    return text.append(slice).toString();
  }

  private static TributaryException unreadable(String text) {
    return TributaryException.invalidArgument(
        "Need dimensions and a slice specification, such as '100 64 0,50:-', got '%s'", text);
  }
}
