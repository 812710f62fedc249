package dev.tributary.internal.example;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns serialized sequence examples into tensors. Immutable; it borrows the default values of the
 * context's features.
 *
 * @param context the features of the context
 * @param ragged feature lists that become ragged tensors
 * @param splitTypes int32 or int64 for the row splits of each ragged one
 */
public record SequenceExampleParser(
    ExampleParser context,
    List<RowsFeature> sparse,
    List<DenseRowsFeature> dense,
    List<RowsFeature> ragged,
    List<DataType> splitTypes) {
  public SequenceExampleParser {
    sparse = List.copyOf(sparse);
    dense = List.copyOf(dense);
    ragged = List.copyOf(ragged);
    splitTypes = List.copyOf(splitTypes);
  }

  /**
   * Parses a vector of examples, or a scalar with one, which gives tensors without a dimension for
   * the examples.
   *
   * @param names a name for each example, for error messages; may be empty
   * @param withLengths whether the number of rows of each dense list is wanted
   * @return as the ParseSequenceExample ops list them: the features of the context; the indices,
   *     values and shapes of sparse feature lists; the dense ones and their lengths; the values,
   *     outer and inner splits of ragged ones; for the caller to close
   */
  public List<Tensor> parse(
      Tensor serialized, String[] names, boolean withLengths, Allocator allocator) {
    if (serialized.rank() > 1) {
      throw TributaryException.invalidArgument(
          "Expected serialized to be a scalar or vector, got shape: %s", serialized.shape());
    }
    if (names.length > 0 && names.length != serialized.elementCount()) {
      throw TributaryException.invalidArgument(
          "Expected len(debug_name) == len(serialized), but got: %d vs. %d",
          names.length, serialized.elementCount());
    }
    SequenceBatch batch = new SequenceBatch(serialized, names);
    boolean isSingle = serialized.rank() == 0;
    List<Tensor> made = new ArrayList<>();
    try {
      List<Tensor> all = new ArrayList<>(context.parse(batch.context(), isSingle, allocator, made));
      all.addAll(sparse(batch, isSingle, allocator, made));
      all.addAll(dense(batch, isSingle, withLengths, allocator, made));
      all.addAll(ragged(batch, isSingle, allocator, made));
      return all;
    } catch (RuntimeException e) {
      made.forEach(Tensor::close);
      throw e;
    }
  }

  private List<Tensor> sparse(
      SequenceBatch batch, boolean isSingle, Allocator allocator, List<Tensor> made) {
    List<Tensor> indices = new ArrayList<>();
    List<Tensor> values = new ArrayList<>();
    List<Tensor> shapes = new ArrayList<>();
    for (RowsFeature feature : sparse) {
      ListFeature.Sparse tensors = feature.parseSparse(batch, isSingle, allocator);
      made.addAll(List.of(tensors.indices(), tensors.values(), tensors.shape()));
      indices.add(tensors.indices());
      values.add(tensors.values());
      shapes.add(tensors.shape());
    }
    indices.addAll(values);
    indices.addAll(shapes);
    return indices;
  }

  private List<Tensor> dense(
      SequenceBatch batch,
      boolean isSingle,
      boolean withLengths,
      Allocator allocator,
      List<Tensor> made) {
    List<Tensor> values = new ArrayList<>();
    List<Tensor> lengths = new ArrayList<>();
    for (DenseRowsFeature feature : dense) {
      DenseRowsFeature.Dense tensors = feature.parse(batch, isSingle, allocator);
      made.add(tensors.values());
      values.add(tensors.values());
      if (withLengths) {
        made.add(tensors.lengths());
        lengths.add(tensors.lengths());
      } else {
        tensors.lengths().close();
      }
    }
    values.addAll(lengths);
    return values;
  }

  private List<Tensor> ragged(
      SequenceBatch batch, boolean isSingle, Allocator allocator, List<Tensor> made) {
    List<Tensor> values = new ArrayList<>();
    List<Tensor> outer = new ArrayList<>();
    List<Tensor> inner = new ArrayList<>();
    for (int i = 0; i < ragged.size(); i++) {
      RowsFeature.Ragged tensors =
          ragged.get(i).parseRagged(batch, isSingle, splitTypes.get(i), allocator);
      made.addAll(List.of(tensors.values(), tensors.outerSplits(), tensors.innerSplits()));
      values.add(tensors.values());
      outer.add(tensors.outerSplits());
      inner.add(tensors.innerSplits());
    }
    values.addAll(outer);
    values.addAll(inner);
    return values;
  }
}
