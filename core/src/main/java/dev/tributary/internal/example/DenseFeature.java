package dev.tributary.internal.example;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A feature that becomes one dense tensor: all examples have as many values as the shape, or, if
 * its first size is unknown, any multiple of what the others make, and shorter ones are filled up.
 *
 * @param defaultValue what an example without the feature gets; if it has no element, each must
 *     have it. For a first size that is unknown: the one value to fill up with. Borrowed.
 */
public record DenseFeature(String key, DataType type, Shape shape, Tensor defaultValue) {
  public DenseFeature {
    boolean knowsTail =
        shape.hasRank() && shape.slice(Math.min(1, shape.rank()), shape.rank()).isFullyDefined();
    if (!knowsTail) {
      throw TributaryException.invalidArgument(
          "dense_shapes: only the first size of feature '%s' may be unknown, got %s", key, shape);
    }
    if (defaultValue.type() != type) {
      throw TributaryException.invalidArgument(
          "dense_defaults: the default of feature '%s' must be %s, got %s",
          key, type.lowerName(), defaultValue.type().lowerName());
    }
    boolean fits =
        shape.isFullyDefined()
            ? defaultValue.elementCount() == 0 || shape.isCompatibleWith(defaultValue.shape())
            : defaultValue.elementCount() <= 1;
    if (!fits) {
      throw TributaryException.invalidArgument(
          "dense_defaults: the default of feature '%s' must have shape %s, got %s",
          key, shape.isFullyDefined() ? shape : "[1]", defaultValue.shape());
    }
  }

  private boolean isVariable() {
    return !shape.isFullyDefined();
  }

  /** The feature of all examples, with a first dimension for them unless it is only one. */
  Tensor parse(ExampleBatch batch, boolean isSingle, Allocator allocator) {
    List<Optional<FeatureValues>> column = batch.feature(key, type);
    Shape row = isVariable() ? shape.withSize(0, longest(batch, column)) : shape;
    Shape whole = isSingle ? row : Shape.of(batch.size()).concatenate(row);
    Tensor tensor = Tensor.allocate(allocator, type, whole);
    try {
      long size = row.elementCount();
      for (int i = 0; i < column.size(); i++) {
        fill(batch, i, column.get(i), row, tensor, i * size);
      }
      return tensor;
    } catch (RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  private long longest(ExampleBatch batch, List<Optional<FeatureValues>> column) {
    long width = shape.slice(1, shape.rank()).elementCount();
    long longest = 0;
    for (int i = 0; i < column.size(); i++) {
      int count = column.get(i).map(FeatureValues::count).orElse(0);
      if (width == 0 ? count > 0 : count % width != 0) {
        throw wrongCount(batch, i, count);
      }
      longest = Math.max(longest, width == 0 ? 0 : count / width);
    }
    return longest;
  }

  private void fill(
      ExampleBatch batch,
      int example,
      Optional<FeatureValues> values,
      Shape row,
      Tensor tensor,
      long at) {
    long size = row.elementCount();
    if (isVariable()) {
      values.ifPresent(present -> present.copyTo(tensor, at));
      fillUp(tensor, at + values.map(FeatureValues::count).orElse(0), at + size);
    } else if (values.isPresent()) {
      if (values.get().count() != size) {
        throw wrongCount(batch, example, values.get().count());
      }
      values.get().copyTo(tensor, at);
    } else if (defaultValue.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "%s: Feature: %s (data type: %s) is required but could not be found.",
          batch.where(example), key, type.lowerName());
    } else {
      copyDefault(tensor, at);
    }
  }

  private void copyDefault(Tensor tensor, long at) {
    if (type == DataType.STRING) {
      Object[] from = defaultValue.objects();
      System.arraycopy(from, 0, tensor.objects(), (int) at, from.length);
    } else {
      long bytes = defaultValue.byteSize();
      Memory.copy(
          defaultValue.storage().address(), tensor.storage().address() + at * type.size(), bytes);
    }
  }

  /** Puts the one default value, or nothing (0, an empty string), everywhere in a range. */
  private void fillUp(Tensor tensor, long from, long to) {
    boolean hasDefault = defaultValue.elementCount() == 1;
    if (type == DataType.STRING) {
      Object value = hasDefault ? defaultValue.objects()[0] : new byte[0];
      Arrays.fill(tensor.objects(), (int) from, (int) to, value);
      return;
    }
    int size = type.size();
    if (!hasDefault) {
      Memory.fill(tensor.storage().address() + from * size, (to - from) * size, (byte) 0);
      return;
    }
    for (long i = from; i < to; i++) {
      Memory.copy(defaultValue.storage().address(), tensor.storage().address() + i * size, size);
    }
  }

  private TributaryException wrongCount(ExampleBatch batch, int example, int count) {
    return TributaryException.invalidArgument(
        "%s: Key: %s.  Number of %s values != expected.  Values size: %d but output shape: %s",
        batch.where(example), key, type.lowerName(), count, shape);
  }
}
