package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The features of examples that become tensors. Types are float, int64 and string. Immutable; each
 * method gives a new one.
 *
 * <pre>{@code
 * ExampleFeatures.none().fixed("image", DataType.STRING, Shape.scalar()).varying("tags", DataType.INT64)
 * }</pre>
 */
public final class ExampleFeatures {
  /** A dense feature; one without default must be in each example. */
  private record Dense(String key, DataType type, Shape shape, Optional<Value> defaultValue) {
    /** A default without an element stands for none. */
    Output defaultOf(Ops tf) {
      Tensor value =
          defaultValue.map(Value::toTensor).orElseGet(() -> Tensor.zeros(type, Shape.of(0)));
      return tf.array.constantTaking(value);
    }
  }

  private record Sparse(String key, DataType type) {}

  private static final ExampleFeatures NONE = new ExampleFeatures(List.of(), List.of());

  private final List<Dense> dense;
  private final List<Sparse> sparse;

  private ExampleFeatures(List<Dense> dense, List<Sparse> sparse) {
    this.dense = dense;
    this.sparse = sparse;
  }

  public static ExampleFeatures none() {
    return NONE;
  }

  /** A feature that each example must have, with as many values as the shape; it becomes dense. */
  public ExampleFeatures fixed(String key, DataType type, Shape shape) {
    return fixed(new Dense(key, type, shape, Optional.empty()));
  }

  /**
   * A feature with as many values as the shape; it becomes dense. An example without it has the
   * default value.
   *
   * @param defaultValue of the type and shape of the feature
   */
  public ExampleFeatures fixed(String key, DataType type, Shape shape, Value defaultValue) {
    if (defaultValue.type() != type || !defaultValue.shape().equals(shape)) {
      throw TributaryException.invalidArgument(
          "feature '%s' is %s %s, but its default value is %s %s",
          key, type.lowerName(), shape, defaultValue.type().lowerName(), defaultValue.shape());
    }
    return fixed(new Dense(key, type, shape, Optional.of(defaultValue)));
  }

  private ExampleFeatures fixed(Dense feature) {
    List<Dense> more = new ArrayList<>(dense);
    more.add(feature);
    return new ExampleFeatures(List.copyOf(more), sparse);
  }

  /** A feature with any number of values; it becomes sparse. */
  public ExampleFeatures varying(String key, DataType type) {
    List<Sparse> more = new ArrayList<>(sparse);
    more.add(new Sparse(key, type));
    return new ExampleFeatures(dense, List.copyOf(more));
  }

  /** The keys of the features that become dense, in the order in which they were given. */
  public List<String> fixedKeys() {
    return dense.stream().map(Dense::key).toList();
  }

  /** The keys of the features that become sparse, in the order in which they were given. */
  public List<String> varyingKeys() {
    return sparse.stream().map(Sparse::key).toList();
  }

  /** The type of a feature; NOT_FOUND if there is none of this key. */
  public DataType type(String key) {
    return sparse.stream()
        .filter(feature -> feature.key().equals(key))
        .map(Sparse::type)
        .findFirst()
        .orElseGet(() -> fixed(key).type());
  }

  /** The shape of a feature that becomes dense; NOT_FOUND if there is none of this key. */
  public Shape shape(String key) {
    return fixed(key).shape();
  }

  private Dense fixed(String key) {
    return dense.stream()
        .filter(feature -> feature.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                TributaryException.notFound(
                    "no such feature '%s'; there are %s", key, fixedKeys()));
  }

  ParsedExamples parseExample(Scope scope, Output serialized) {
    Ops tf = new Ops(scope);
    Operation parsed =
        scope
            .operation("ParseExample")
            .input(serialized)
            .input(tf.constant(new String[0]))
            .inputList(sparse.stream().map(f -> tf.constant(f.key())).toList())
            .inputList(dense.stream().map(f -> tf.constant(f.key())).toList())
            .inputList(defaults(tf))
            .attr("Nsparse", sparse.size())
            .attr("Ndense", dense.size())
            .attr("sparse_types", sparse.stream().map(Sparse::type).toList())
            .attr("Tdense", dense.stream().map(Dense::type).toList())
            .attr("dense_shapes", dense.stream().map(Dense::shape).toList())
            .build();
    return named(parsed);
  }

  ParsedExamples parseSingleExample(Scope scope, Output serialized) {
    Operation parsed =
        scope
            .operation("ParseSingleExample")
            .input(serialized)
            .inputList(defaults(new Ops(scope)))
            .attr("num_sparse", sparse.size())
            .attr("sparse_keys", sparse.stream().map(Sparse::key).toList())
            .attr("dense_keys", dense.stream().map(Dense::key).toList())
            .attr("sparse_types", sparse.stream().map(Sparse::type).toList())
            .attr("Tdense", dense.stream().map(Dense::type).toList())
            .attr("dense_shapes", dense.stream().map(Dense::shape).toList())
            .build();
    return named(parsed);
  }

  static ParsedSequences parseSequences(
      Scope scope, Output serialized, ExampleFeatures context, ExampleFeatures lists) {
    Operation parsed =
        scope
            .operation("ParseSequenceExample")
            .input(serialized)
            .input(new Ops(scope).constant(new String[0]))
            .inputList(context.defaults(new Ops(scope)))
            .attr("feature_list_dense_missing_assumed_empty", List.of())
            .attr("context_sparse_keys", context.sparse.stream().map(Sparse::key).toList())
            .attr("context_dense_keys", context.dense.stream().map(Dense::key).toList())
            .attr("feature_list_sparse_keys", lists.sparse.stream().map(Sparse::key).toList())
            .attr("feature_list_dense_keys", lists.dense.stream().map(Dense::key).toList())
            .attr("Ncontext_sparse", context.sparse.size())
            .attr("Ncontext_dense", context.dense.size())
            .attr("Nfeature_list_sparse", lists.sparse.size())
            .attr("Nfeature_list_dense", lists.dense.size())
            .attr("context_sparse_types", context.sparse.stream().map(Sparse::type).toList())
            .attr("Tcontext_dense", context.dense.stream().map(Dense::type).toList())
            .attr("context_dense_shapes", context.dense.stream().map(Dense::shape).toList())
            .attr("feature_list_sparse_types", lists.sparse.stream().map(Sparse::type).toList())
            .attr("feature_list_dense_types", lists.dense.stream().map(Dense::type).toList())
            .attr("feature_list_dense_shapes", lists.dense.stream().map(Dense::shape).toList())
            .build();
    int first = 3 * context.sparse.size() + context.dense.size();
    int firstLength = first + 3 * lists.sparse.size() + lists.dense.size();
    Map<String, Output> lengths = new LinkedHashMap<>();
    for (int i = 0; i < lists.dense.size(); i++) {
      lengths.put(lists.dense.get(i).key(), parsed.output(firstLength + i));
    }
    return new ParsedSequences(context.named(parsed, 0), lists.named(parsed, first), lengths);
  }

  private List<Output> defaults(Ops tf) {
    return dense.stream().map(feature -> feature.defaultOf(tf)).toList();
  }

  private ParsedExamples named(Operation parsed) {
    return named(parsed, 0);
  }

  private ParsedExamples named(Operation parsed, int first) {
    int count = sparse.size();
    Map<String, SparseTensor> sparseOutputs = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      sparseOutputs.put(
          sparse.get(i).key(),
          new SparseTensor(
              parsed.output(first + i),
              parsed.output(first + count + i),
              parsed.output(first + 2 * count + i)));
    }
    Map<String, Output> denseOutputs = new LinkedHashMap<>();
    for (int i = 0; i < dense.size(); i++) {
      denseOutputs.put(dense.get(i).key(), parsed.output(first + 3 * count + i));
    }
    return new ParsedExamples(denseOutputs, sparseOutputs);
  }
}
