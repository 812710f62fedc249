package dev.tributary.internal.example;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * A feature list that becomes one dense tensor: its rows have one shape, and examples with fewer
 * rows are filled up with zeros or empty strings.
 *
 * @param mayBeMissing whether an example without the list counts as one without rows
 */
public record DenseRowsFeature(String key, DataType type, Shape shape, boolean mayBeMissing) {
  public DenseRowsFeature {
    if (!shape.isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "feature_list_dense_shapes: the shape of '%s' must be fully known, got %s", key, shape);
    }
  }

  /** The tensors of a dense feature list, for the caller to close. */
  record Dense(Tensor values, Tensor lengths) {}

  /** The rows of all examples and how many each has; no dimension for examples if it is one. */
  Dense parse(SequenceBatch batch, boolean isSingle, Allocator allocator) {
    List<Optional<List<FeatureValues>>> column = batch.rows(key, type);
    long most = 0;
    long[] lengths = new long[column.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = requireRows(batch, i, column.get(i)).size();
      most = Math.max(most, lengths[i]);
    }
    Shape rows = Shape.of(most).concatenate(shape);
    Shape whole = isSingle ? rows : Shape.of(batch.size()).concatenate(rows);
    Tensor values = Tensor.zeros(allocator, type, whole);
    for (int i = 0; i < lengths.length; i++) {
      long at = i * rows.elementCount();
      for (FeatureValues row : column.get(i).orElse(List.of())) {
        row.copyTo(values, at);
        at += row.count();
      }
    }
    return new Dense(values, isSingle ? Tensor.scalar(lengths[0]) : Tensor.of(lengths));
  }

  private List<FeatureValues> requireRows(
      SequenceBatch batch, int example, Optional<List<FeatureValues>> rows) {
    String where = batch.context().where(example);
    if (rows.isEmpty() && !mayBeMissing) {
      throw TributaryException.invalidArgument(
          "%s: Feature list '%s' is required but could not be found.  Did you mean to include it in"
              + " feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?",
          where, key);
    }
    List<FeatureValues> present = rows.orElse(List.of());
    for (int i = 0; i < present.size(); i++) {
      if (present.get(i).count() != shape.elementCount()) {
        throw TributaryException.invalidArgument(
            "%s: Key: %s, Index: %d.  Number of values != expected.  values size: %d but output"
                + " shape: %s",
            where, key, i, present.get(i).count(), shape);
      }
    }
    return present;
  }
}
