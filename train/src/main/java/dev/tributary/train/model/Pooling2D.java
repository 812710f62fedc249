package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Padding;
import dev.tributary.train.variable.VariableScope;

/** The largest or the mean value of each window of images {@code [n, height, width, channels]}. */
public record Pooling2D(Kind kind, int height, int width, ConvOptions options) implements Layer {
  /** The value that a window is reduced to. */
  public enum Kind {
    MAX,
    AVERAGE
  }

  public static Pooling2D max(int size, int stride, Padding padding) {
    return new Pooling2D(Kind.MAX, size, size, ConvOptions.of(stride, padding));
  }

  public static Pooling2D average(int size, int stride, Padding padding) {
    return new Pooling2D(Kind.AVERAGE, size, size, ConvOptions.of(stride, padding));
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    return switch (kind) {
      case MAX -> scope.tf().maxPool(inputs, height, width, options);
      case AVERAGE -> scope.tf().avgPool(inputs, height, width, options);
    };
  }
}
