package dev.tributary.train.model;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Pooling2D.Kind;
import dev.tributary.train.variable.VariableScope;
import java.util.stream.IntStream;

/**
 * The largest or the mean value of each channel of sequences, images or volumes: {@code [n, ..,
 * channels]} becomes {@code [n, channels]}.
 *
 * @param keepDimensions whether the dimensions between stay, with size 1
 */
public record GlobalPooling(Kind kind, boolean keepDimensions) implements Layer {
  public static GlobalPooling max() {
    return new GlobalPooling(Kind.MAX, false);
  }

  public static GlobalPooling average() {
    return new GlobalPooling(Kind.AVERAGE, false);
  }

  /** The result has the rank of the inputs. */
  public GlobalPooling withDimensions() {
    return new GlobalPooling(kind, true);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Shape shape = inputs.asOutput().shape();
    if (!shape.hasRank() || shape.rank() < 3) {
      throw TributaryException.invalidArgument(
          "GlobalPooling: its inputs must be of a known shape [n, .., channels] with at least three"
              + " dimensions, got %s",
          inputs.asOutput());
    }
    int[] between = IntStream.range(1, shape.rank() - 1).toArray();
    Ops tf = scope.tf();
    return switch (kind) {
      case MAX -> tf.max(inputs, keepDimensions, between);
      case AVERAGE -> tf.mean(inputs, keepDimensions, between);
    };
  }
}
