package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.example.DenseFeature;
import dev.tributary.internal.example.ExampleParser;
import dev.tributary.internal.example.ListFeature;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Factories of the kernels of the ParseExample ops, which differ in how they are told the keys. */
public final class ParseExampleKernels {
  private static final String[] NO_NAMES = {};

  private ParseExampleKernels() {}

  /** Keys as lists of scalar inputs. */
  public static Kernel parseExample(KernelNode node) {
    Columns columns = Columns.of(node);
    int sparse = node.attributes().int32("Nsparse");
    int dense = node.attributes().int32("Ndense");
    columns.requireCounts(sparse, dense);
    return c -> {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < sparse + dense; i++) {
        keys.add(StringInputs.single(c, 2 + i, i < sparse ? "sparse_keys" : "dense_keys"));
      }
      Tensor serialized = c.input(0);
      if (serialized.rank() != 1) {
        throw TributaryException.invalidArgument(
            "Expected serialized to be a vector, got shape: %s", serialized.shape());
      }
      columns.parse(c, names(c), keys, List.of(), 2 + sparse + dense);
    };
  }

  /** Keys as vectors, and ragged features. */
  public static Kernel parseExampleV2(KernelNode node) {
    Columns columns = Columns.of(node);
    Attributes attributes = node.attributes();
    List<DataType> ragged = attributes.types("ragged_value_types");
    List<DataType> splits = attributes.types("ragged_split_types");
    if (ragged.size() != splits.size()) {
      throw TributaryException.invalidArgument(
          "ragged_value_types and ragged_split_types must be equally many, got %d and %d",
          ragged.size(), splits.size());
    }
    columns.requireCounts(attributes.int32("num_sparse"), columns.dense().size());
    Columns withRagged = columns.withRagged(ragged, splits);
    return c -> {
      List<String> keys = new ArrayList<>(keys(c, 2, "sparse_keys", columns.sparse().size()));
      keys.addAll(keys(c, 3, "dense_keys", columns.dense().size()));
      withRagged.parse(c, names(c), keys, keys(c, 4, "ragged_keys", ragged.size()), 5);
    };
  }

  /** Keys as attributes, and one example. */
  public static Kernel parseSingleExample(KernelNode node) {
    Columns columns = Columns.of(node);
    Attributes attributes = node.attributes();
    List<String> sparse = attributes.strings("sparse_keys");
    List<String> dense = attributes.strings("dense_keys");
    columns.requireCounts(attributes.int32("num_sparse"), dense.size());
    columns.requireCounts(sparse.size(), dense.size());
    List<String> keys = new ArrayList<>(sparse);
    keys.addAll(dense);
    return c -> {
      if (c.input(0).rank() != 0) {
        throw TributaryException.invalidArgument(
            "Expected serialized to be a scalar, got shape: %s", c.input(0).shape());
      }
      columns.parse(c, NO_NAMES, keys, List.of(), 1);
    };
  }

  private static String[] names(KernelContext context) {
    Tensor names = context.input(1);
    return names.elementCount() == 0 ? NO_NAMES : names.toStrings();
  }

  private static List<String> keys(KernelContext context, int input, String what, int count) {
    String[] keys = StringInputs.vector(context, input, what);
    if (keys.length != count) {
      throw TributaryException.invalidArgument(
          "expected len(%s) == %d, but got: %d", what, count, keys.length);
    }
    return List.of(keys);
  }

  /** The types and shapes that the attributes of a node give its features. */
  private record Columns(
      List<DataType> sparse,
      List<DataType> dense,
      List<Shape> denseShapes,
      List<DataType> ragged,
      List<DataType> splits) {
    static Columns of(KernelNode node) {
      Attributes attributes = node.attributes();
      Columns columns =
          new Columns(
              attributes.types("sparse_types"),
              attributes.types("Tdense"),
              attributes.shapes("dense_shapes"),
              List.of(),
              List.of());
      if (columns.dense.size() != columns.denseShapes.size()) {
        throw TributaryException.invalidArgument(
            "len(dense_shapes) must be len(Tdense), got %d and %d",
            columns.denseShapes.size(), columns.dense.size());
      }
      return columns;
    }

    Columns withRagged(List<DataType> types, List<DataType> splitTypes) {
      return new Columns(sparse, dense, denseShapes, types, splitTypes);
    }

    void requireCounts(int sparseCount, int denseCount) {
      if (sparse.size() != sparseCount || dense.size() != denseCount) {
        throw TributaryException.invalidArgument(
            "there are %d sparse and %d dense keys, but types for %d and %d",
            sparseCount, denseCount, sparse.size(), dense.size());
      }
    }

    /**
     * Parses input 0 and sets all outputs; {@code keys} are the sparse ones, then the dense ones.
     */
    void parse(
        KernelContext context,
        String[] names,
        List<String> keys,
        List<String> raggedKeys,
        int firstDefault) {
      List<ListFeature> sparseFeatures = new ArrayList<>();
      for (int i = 0; i < sparse.size(); i++) {
        sparseFeatures.add(new ListFeature(keys.get(i), sparse.get(i)));
      }
      List<DenseFeature> denseFeatures = new ArrayList<>();
      for (int i = 0; i < dense.size(); i++) {
        denseFeatures.add(
            new DenseFeature(
                keys.get(sparse.size() + i),
                dense.get(i),
                denseShapes.get(i),
                context.input(firstDefault + i)));
      }
      List<ListFeature> raggedFeatures = new ArrayList<>();
      for (int i = 0; i < ragged.size(); i++) {
        raggedFeatures.add(new ListFeature(raggedKeys.get(i), ragged.get(i)));
      }
      ExampleParser parser =
          new ExampleParser(sparseFeatures, denseFeatures, raggedFeatures, splits);
      List<Tensor> parsed = parser.parse(context.input(0), names, context.allocator());
      for (int i = 0; i < parsed.size(); i++) {
        context.setOutput(i, parsed.get(i));
      }
    }
  }
}
