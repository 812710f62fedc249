package dev.tributary.internal.example;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns serialized examples into tensors, feature by feature. Immutable; it borrows the default
 * values in its features.
 *
 * @param ragged features that become ragged tensors
 * @param splitTypes int32 or int64 for the row splits of each ragged one
 */
public record ExampleParser(
    List<ListFeature> sparse,
    List<DenseFeature> dense,
    List<ListFeature> ragged,
    List<DataType> splitTypes) {
  public ExampleParser {
    sparse = List.copyOf(sparse);
    dense = List.copyOf(dense);
    ragged = List.copyOf(ragged);
    splitTypes = List.copyOf(splitTypes);
  }

  public ExampleParser(List<ListFeature> sparse, List<DenseFeature> dense) {
    this(sparse, dense, List.of(), List.of());
  }

  /**
   * Parses a vector of examples, or a scalar with one, which gives tensors without a dimension for
   * the examples.
   *
   * @param names a name for each example, for error messages; may be empty
   * @return as the ParseExample ops list them: the indices, values and shapes of sparse features,
   *     the dense ones, the values and row splits of ragged ones; for the caller to close
   */
  public List<Tensor> parse(Tensor serialized, String[] names, Allocator allocator) {
    if (serialized.rank() > 1) {
      throw TributaryException.invalidArgument(
          "Expected serialized to be a scalar or vector, got shape: %s", serialized.shape());
    }
    if (names.length > 0 && names.length != serialized.elementCount()) {
      throw TributaryException.invalidArgument(
          "Expected len(names) == len(serialized), but got: %d vs. %d",
          names.length, serialized.elementCount());
    }
    ExampleBatch batch = new ExampleBatch(serialized, names);
    List<Tensor> made = new ArrayList<>();
    try {
      return parse(batch, serialized.rank() == 0, allocator, made);
    } catch (RuntimeException e) {
      made.forEach(Tensor::close);
      throw e;
    }
  }

  /** The same for examples that were read; what it makes is added to {@code made}, too. */
  List<Tensor> parse(ExampleBatch batch, boolean isSingle, Allocator allocator, List<Tensor> made) {
    List<Tensor> indices = new ArrayList<>();
    List<Tensor> values = new ArrayList<>();
    List<Tensor> shapes = new ArrayList<>();
    for (ListFeature feature : sparse) {
      ListFeature.Sparse tensors = feature.parseSparse(batch, isSingle, allocator);
      made.addAll(List.of(tensors.indices(), tensors.values(), tensors.shape()));
      indices.add(tensors.indices());
      values.add(tensors.values());
      shapes.add(tensors.shape());
    }
    List<Tensor> all = new ArrayList<>(indices);
    all.addAll(values);
    all.addAll(shapes);
    for (DenseFeature feature : dense) {
      Tensor tensor = feature.parse(batch, isSingle, allocator);
      made.add(tensor);
      all.add(tensor);
    }
    List<Tensor> rowSplits = new ArrayList<>();
    for (int i = 0; i < ragged.size(); i++) {
      ListFeature.Ragged tensors =
          ragged.get(i).parseRagged(batch, isSingle, splitTypes.get(i), allocator);
      made.addAll(List.of(tensors.values(), tensors.rowSplits()));
      all.add(tensors.values());
      rowSplits.add(tensors.rowSplits());
    }
    all.addAll(rowSplits);
    return all;
  }
}
