package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import dev.tributary.train.variable.VariableScope;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;

/** A column of numbers, which a model takes as floats. */
public final class NumericColumn extends FeatureColumn {
  private final Shape shape;
  private final DataType type;
  private final Optional<Double> defaultValue;
  private final BiFunction<Ops, Output, ? extends Operand> normalizer;

  private NumericColumn(
      String key,
      Shape shape,
      DataType type,
      Optional<Double> defaultValue,
      BiFunction<Ops, Output, ? extends Operand> normalizer) {
    super(key);
    this.shape = shape;
    this.type = type;
    this.defaultValue = defaultValue;
    this.normalizer = normalizer;
  }

  static NumericColumn of(String key) {
    return new NumericColumn(
        key, Shape.of(1), DataType.FLOAT, Optional.empty(), (tf, values) -> values);
  }

  /** Returns a column of features with several values, of this shape without the batch. */
  public NumericColumn withShape(long... sizes) {
    Shape newShape = Shape.of(sizes);
    if (!newShape.isFullyDefined() || newShape.elementCount() < 1) {
      throw TributaryException.invalidArgument(
          "numeric column '%s' needs positive sizes, got %s", name(), newShape);
    }
    return new NumericColumn(name(), newShape, type, defaultValue, normalizer);
  }

  /** Returns a column of features of another type than float: any number. */
  public NumericColumn withType(DataType newType) {
    if (newType == DataType.STRING || newType == DataType.BOOL) {
      throw TributaryException.invalidArgument(
          "numeric column '%s' needs numbers, got type %s", name(), newType.lowerName());
    }
    return new NumericColumn(name(), shape, newType, defaultValue, normalizer);
  }

  /** Returns a column with a value for {@code Example} messages that lack the feature. */
  public NumericColumn withDefaultValue(double value) {
    return new NumericColumn(name(), shape, type, Optional.of(value), normalizer);
  }

  /** Returns a column that applies a function to its values first. */
  public NumericColumn withNormalizer(BiFunction<Ops, Output, ? extends Operand> function) {
    return new NumericColumn(name(), shape, type, defaultValue, function);
  }

  Shape shape() {
    return shape;
  }

  @Override
  public FeatureSpec featureSpec() {
    return defaultValue
        .map(value -> FeatureSpec.none().withFixed(name(), type, shape, filled(value)))
        .orElseGet(() -> FeatureSpec.none().withFixed(name(), type, shape));
  }

  private Value filled(double value) {
    int count = (int) shape.elementCount();
    float[] floats = new float[count];
    long[] longs = new long[count];
    Arrays.fill(floats, (float) value);
    Arrays.fill(longs, (long) value);
    try (Tensor tensor =
        type == DataType.INT64 ? Tensor.of(shape, longs) : Tensor.of(shape, floats)) {
      return Value.copyOf(tensor);
    }
  }

  @Override
  Optional<Integer> denseSize() {
    return Optional.of((int) shape.elementCount());
  }

  @Override
  Output dense(VariableScope scope, ColumnInputs inputs) {
    return values(inputs);
  }

  /** The numbers, [batch, size]. */
  Output values(ColumnInputs inputs) {
    Ops tf = inputs.tf();
    Output normalized = normalizer.apply(tf, inputs.dense(name(), name())).asOutput();
    if (normalized.type() == DataType.STRING) {
      throw TributaryException.invalidArgument(
          "numeric column '%s' needs numbers, got feature '%s' of strings", name(), name());
    }
    requireSize(normalized.shape());
    return tf.reshape(tf.cast(normalized, DataType.FLOAT), -1, shape.elementCount());
  }

  /** A feature of another size would be cut up into a wrong number of examples. */
  private void requireSize(Shape got) {
    if (got.hasRank() && got.slice(1, got.rank()).isFullyDefined()) {
      long count = got.slice(1, got.rank()).elementCount();
      if (count != shape.elementCount()) {
        throw TributaryException.invalidArgument(
            "numeric column '%s' expects examples of shape %s, got a batch of shape %s",
            name(), shape, got);
      }
    }
  }
}
