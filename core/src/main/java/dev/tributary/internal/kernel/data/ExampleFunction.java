package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.example.DenseFeature;
import dev.tributary.internal.example.ExampleParser;
import dev.tributary.internal.example.ListFeature;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.HeldTensor;
import dev.tributary.internal.tensor.RaggedTensors;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Parses elements, each a batch of serialized examples, into a component for each feature in the
 * order of their keys. A sparse feature is a vector of three variants, a ragged one a variant.
 */
final class ExampleFunction extends OwnedFunction {
  private static final int SPARSE_PARTS = 3;

  /**
   * The features that the attributes of a node name.
   *
   * @param places the component of each feature: sparse, dense, then ragged ones
   */
  record Features(
      List<ListFeature> sparse,
      List<String> denseKeys,
      List<DataType> denseTypes,
      List<Shape> denseShapes,
      List<ListFeature> ragged,
      List<DataType> splitTypes,
      List<Integer> places) {
    static Features of(Attributes attributes) {
      List<String> sparseKeys = attributes.strings("sparse_keys");
      List<String> denseKeys = attributes.strings("dense_keys");
      boolean hasRagged = attributes.has("ragged_keys");
      List<String> raggedKeys = hasRagged ? attributes.strings("ragged_keys") : List.of();
      List<DataType> splits = hasRagged ? attributes.types("ragged_split_types") : List.of();
      List<DataType> raggedTypes = hasRagged ? attributes.types("ragged_value_types") : List.of();
      List<DataType> denseTypes = attributes.types("Tdense");
      List<Shape> denseShapes = attributes.shapes("dense_shapes");
      requireCount("dense_keys", denseKeys.size(), "Tdense", denseTypes.size());
      requireCount("dense_keys", denseKeys.size(), "dense_shapes", denseShapes.size());
      requireCount("ragged_keys", raggedKeys.size(), "ragged_split_types", splits.size());
      return new Features(
          lists("sparse_keys", sparseKeys, "sparse_types", attributes.types("sparse_types")),
          denseKeys,
          denseTypes,
          denseShapes,
          lists("ragged_keys", raggedKeys, "ragged_value_types", raggedTypes),
          splits,
          places(List.of(sparseKeys, denseKeys, raggedKeys)));
    }

    private static List<ListFeature> lists(
        String names, List<String> keys, String typeNames, List<DataType> types) {
      requireCount(names, keys.size(), typeNames, types.size());
      List<ListFeature> features = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        features.add(new ListFeature(keys.get(i), types.get(i)));
      }
      return features;
    }

    private static List<Integer> places(List<List<String>> keys) {
      List<String> all = keys.stream().flatMap(List::stream).toList();
      List<String> sorted = List.copyOf(new TreeSet<>(all));
      if (sorted.size() < all.size()) {
        throw TributaryException.invalidArgument("the keys %s name a feature twice", all);
      }
      return all.stream().map(sorted::indexOf).toList();
    }

    private static void requireCount(String what, int count, String other, int otherCount) {
      if (count != otherCount) {
        throw TributaryException.invalidArgument(
            "len(%s) must be len(%s), got %d and %d", other, what, otherCount, count);
      }
    }

    /**
     * @param defaults borrowed for as long as the parser is used
     */
    private ExampleParser parser(List<Tensor> defaults) {
      List<DenseFeature> dense = new ArrayList<>();
      for (int i = 0; i < denseKeys.size(); i++) {
        dense.add(
            new DenseFeature(
                denseKeys.get(i), denseTypes.get(i), denseShapes.get(i), defaults.get(i)));
      }
      return new ExampleParser(sparse, dense, ragged, splitTypes);
    }
  }

  private final Allocator allocator;
  private final Features features;
  private final ExampleParser parser;
  private final List<Tensor> defaults;

  /**
   * @param defaults of the dense features, whose references go over to this unless it fails
   */
  ExampleFunction(String stage, Allocator allocator, Features features, List<Tensor> defaults) {
    super(stage);
    this.allocator = allocator;
    this.features = features;
    this.parser = features.parser(defaults);
    this.defaults = defaults;
  }

  @Override
  public void call(Cancellation caller, CapturedFunction.Completion done, Tensor... arguments) {
    Tensor[] parsed;
    try {
      parsed = parse(arguments);
    } catch (RuntimeException e) {
      done.fail(e);
      return;
    }
    for (int i = 0; i < parsed.length; i++) {
      parsed[i] = SharedTensors.take(parsed[i]);
    }
    done.succeed(parsed);
  }

  private Tensor[] parse(Tensor[] element) {
    if (element.length != 1 || element[0].type() != DataType.STRING) {
      throw TributaryException.invalidArgument(
          "an element must be one tensor of strings to be parsed as examples, got %d components",
          element.length);
    }
    try (Tensor batch = element[0].withShape(Shape.of(element[0].elementCount()))) {
      return components(parser.parse(batch, new String[0], allocator));
    }
  }

  /** Puts each feature's tensors together, at its place. */
  private Tensor[] components(List<Tensor> parsed) {
    int sparse = features.sparse().size();
    int dense = features.denseKeys().size();
    int ragged = features.ragged().size();
    Tensor[] components = new Tensor[sparse + dense + ragged];
    for (int i = 0; i < sparse; i++) {
      components[features.places().get(i)] =
          sparse(parsed.get(i), parsed.get(sparse + i), parsed.get(2 * sparse + i));
    }
    for (int i = 0; i < dense; i++) {
      components[features.places().get(sparse + i)] = parsed.get(SPARSE_PARTS * sparse + i);
    }
    int first = SPARSE_PARTS * sparse + dense;
    for (int i = 0; i < ragged; i++) {
      RaggedTensors rows =
          RaggedTensors.of(List.of(parsed.get(first + ragged + i), parsed.get(first + i)));
      components[features.places().get(sparse + dense + i)] =
          Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), rows);
    }
    return components;
  }

  private static Tensor sparse(Tensor indices, Tensor values, Tensor shape) {
    return Tensor.ofObjects(
        DataType.VARIANT,
        Shape.of(SPARSE_PARTS),
        HeldTensor.of(indices),
        HeldTensor.of(values),
        HeldTensor.of(shape));
  }

  @Override
  void release() {
    defaults.forEach(Tensor::close);
  }
}
