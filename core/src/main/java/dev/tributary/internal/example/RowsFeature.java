package dev.tributary.internal.example;

import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** A feature list of which each example has any number of rows, with any number of values each. */
public record RowsFeature(String key, DataType type) {
  /** The tensors of a ragged feature list, for the caller to close. */
  record Ragged(Tensor values, Tensor outerSplits, Tensor innerSplits) {}

  /** The values with their places: example, row and number; without the example for one. */
  ListFeature.Sparse parseSparse(SequenceBatch batch, boolean isSingle, Allocator allocator) {
    List<Optional<List<FeatureValues>>> column = batch.rows(key, type);
    Tensor values = values(column, allocator);
    long mostRows = 0;
    long longest = 0;
    Tensor indices =
        Tensor.allocate(
            allocator, DataType.INT64, Shape.of(values.elementCount(), isSingle ? 2 : 3));
    long to = indices.storage().address();
    for (int example = 0; example < column.size(); example++) {
      List<FeatureValues> rows = column.get(example).orElse(List.of());
      mostRows = Math.max(mostRows, rows.size());
      for (int row = 0; row < rows.size(); row++) {
        longest = Math.max(longest, rows.get(row).count());
        for (int i = 0; i < rows.get(row).count(); i++) {
          to = isSingle ? to : put(to, example);
          to = put(put(to, row), i);
        }
      }
    }
    Tensor shape =
        isSingle ? Tensor.of(mostRows, longest) : Tensor.of(batch.size(), mostRows, longest);
    return new ListFeature.Sparse(indices, values, shape);
  }

  /** All values, where each row ends among them, and where each example ends among the rows. */
  Ragged parseRagged(
      SequenceBatch batch, boolean isSingle, DataType splitType, Allocator allocator) {
    List<Optional<List<FeatureValues>>> column = batch.rows(key, type);
    Tensor values = values(column, allocator);
    int rowCount = column.stream().mapToInt(rows -> rows.map(List::size).orElse(0)).sum();
    long[] outer = new long[column.size() + 1];
    long[] inner = new long[rowCount + 1];
    int row = 0;
    for (int example = 0; example < column.size(); example++) {
      for (FeatureValues rowValues : column.get(example).orElse(List.of())) {
        inner[row + 1] = inner[row] + rowValues.count();
        row++;
      }
      outer[example + 1] = row;
    }
    return new Ragged(
        values,
        isSingle
            ? Tensor.zeros(allocator, splitType, Shape.scalar())
            : ListFeature.splits(splitType, allocator, outer),
        ListFeature.splits(splitType, allocator, inner));
  }

  private Tensor values(List<Optional<List<FeatureValues>>> column, Allocator allocator) {
    long total = 0;
    for (Optional<List<FeatureValues>> rows : column) {
      for (FeatureValues row : rows.orElse(List.of())) {
        total += row.count();
      }
    }
    Tensor values = Tensor.allocate(allocator, type, Shape.of(total));
    long at = 0;
    for (Optional<List<FeatureValues>> rows : column) {
      for (FeatureValues row : rows.orElse(List.of())) {
        row.copyTo(values, at);
        at += row.count();
      }
    }
    return values;
  }

  private static long put(long to, long index) {
    Memory.putLong(to, index);
    return to + Long.BYTES;
  }
}
