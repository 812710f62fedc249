package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.example.DenseFeature;
import dev.tributary.internal.example.DenseRowsFeature;
import dev.tributary.internal.example.ExampleParser;
import dev.tributary.internal.example.ListFeature;
import dev.tributary.internal.example.RowsFeature;
import dev.tributary.internal.example.SequenceExampleParser;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Factories of the kernels of the ParseSequenceExample ops, which differ in how they are told the
 * keys.
 */
public final class ParseSequenceKernels {
  private static final String[] NO_NAMES = {};

  private ParseSequenceKernels() {}

  /** Keys as attributes. */
  public static Kernel parseSequenceExample(KernelNode node) {
    Columns columns = Columns.of(node);
    Attributes attributes = node.attributes();
    Keys keys =
        new Keys(
            attributes.strings("context_sparse_keys"),
            attributes.strings("context_dense_keys"),
            List.of(),
            attributes.strings("feature_list_sparse_keys"),
            attributes.strings("feature_list_dense_keys"),
            List.of(),
            Set.copyOf(attributes.strings("feature_list_dense_missing_assumed_empty")));
    columns.requireCounts(keys);
    return c -> columns.parse(c, c.input(1), keys, 2, true);
  }

  /** Keys as vectors, and ragged features. */
  public static Kernel parseSequenceExampleV2(KernelNode node) {
    Columns columns = Columns.of(node);
    return c -> {
      List<String> denseKeys = vector(c, 6, "feature_list_dense_keys");
      Keys keys =
          new Keys(
              vector(c, 2, "context_sparse_keys"),
              vector(c, 3, "context_dense_keys"),
              vector(c, 4, "context_ragged_keys"),
              vector(c, 5, "feature_list_sparse_keys"),
              denseKeys,
              vector(c, 7, "feature_list_ragged_keys"),
              marked(c.input(8), denseKeys));
      columns.requireCounts(keys);
      columns.parse(c, c.input(1), keys, 9, true);
    };
  }

  /** Keys as lists of scalar inputs, and one example. */
  public static Kernel parseSingleSequenceExample(KernelNode node) {
    Columns columns = Columns.of(node);
    int[] counts = {
      node.attributes().int32("Ncontext_sparse"),
      node.attributes().int32("Ncontext_dense"),
      node.attributes().int32("Nfeature_list_sparse"),
      node.attributes().int32("Nfeature_list_dense")
    };
    return c -> {
      if (c.input(0).rank() != 0) {
        throw TributaryException.invalidArgument(
            "Expected serialized to be a scalar, got shape: %s", c.input(0).shape());
      }
      List<List<String>> given = new ArrayList<>();
      int next = 2;
      for (int count : counts) {
        List<String> scalars = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          scalars.add(StringInputs.single(c, next++, "key"));
        }
        given.add(scalars);
      }
      Set<String> mayBeMissing =
          Set.copyOf(vector(c, 1, "feature_list_dense_missing_assumed_empty"));
      Keys keys =
          new Keys(
              given.get(0),
              given.get(1),
              List.of(),
              given.get(2),
              given.get(3),
              List.of(),
              mayBeMissing);
      columns.requireCounts(keys);
      columns.parse(c, c.input(c.inputCount() - 1), keys, next, false);
    };
  }

  private static List<String> vector(KernelContext context, int input, String what) {
    return List.of(StringInputs.vector(context, input, what));
  }

  private static Set<String> marked(Tensor marks, List<String> keys) {
    if (marks.elementCount() != keys.size()) {
      throw TributaryException.invalidArgument(
          "Expected len(feature_list_dense_missing_assumed_empty) to be %d, the number of"
              + " feature_list_dense_keys, got shape %s",
          keys.size(), marks.shape());
    }
    Set<String> marked = new TreeSet<>();
    for (int i = 0; i < keys.size(); i++) {
      if (Memory.getByte(marks.storage().address() + i) != 0) {
        marked.add(keys.get(i));
      }
    }
    return marked;
  }

  /** The names of all features of one call. */
  private record Keys(
      List<String> contextSparse,
      List<String> contextDense,
      List<String> contextRagged,
      List<String> sparse,
      List<String> dense,
      List<String> ragged,
      Set<String> mayBeMissing) {}

  /** The types and shapes that the attributes of a node give its features. */
  private record Columns(
      List<DataType> contextSparse,
      List<DataType> contextDense,
      List<Shape> contextShapes,
      List<DataType> contextRagged,
      List<DataType> contextSplits,
      List<DataType> sparse,
      List<DataType> dense,
      List<Shape> denseShapes,
      List<DataType> ragged,
      List<DataType> splits) {
    static Columns of(KernelNode node) {
      Attributes attributes = node.attributes();
      boolean hasRagged = attributes.has("context_ragged_value_types");
      requireNumber(attributes, "Ncontext_sparse", "context_sparse_types");
      requireNumber(attributes, "Nfeature_list_sparse", "feature_list_sparse_types");
      requireNumber(attributes, "Nfeature_list_dense", "feature_list_dense_types");
      return new Columns(
          attributes.types("context_sparse_types"),
          attributes.types("Tcontext_dense"),
          attributes.shapes("context_dense_shapes"),
          hasRagged ? attributes.types("context_ragged_value_types") : List.of(),
          hasRagged ? attributes.types("context_ragged_split_types") : List.of(),
          attributes.types("feature_list_sparse_types"),
          attributes.types("feature_list_dense_types"),
          attributes.shapes("feature_list_dense_shapes"),
          hasRagged ? attributes.types("feature_list_ragged_value_types") : List.of(),
          hasRagged ? attributes.types("feature_list_ragged_split_types") : List.of());
    }

    private static void requireNumber(Attributes attributes, String number, String types) {
      int wanted = attributes.types(types).size();
      if (attributes.integer(number) != wanted) {
        throw TributaryException.invalidArgument(
            "%s must be len(%s), got %d and %d", number, types, attributes.integer(number), wanted);
      }
    }

    void requireCounts(Keys keys) {
      requireCount("context_sparse_keys", keys.contextSparse, contextSparse);
      requireCount("context_dense_keys", keys.contextDense, contextDense);
      requireCount("context_dense_keys", keys.contextDense, contextShapes);
      requireCount("context_ragged_keys", keys.contextRagged, contextRagged);
      requireCount("context_ragged_keys", keys.contextRagged, contextSplits);
      requireCount("feature_list_sparse_keys", keys.sparse, sparse);
      requireCount("feature_list_dense_keys", keys.dense, dense);
      requireCount("feature_list_dense_keys", keys.dense, denseShapes);
      requireCount("feature_list_ragged_keys", keys.ragged, ragged);
      requireCount("feature_list_ragged_keys", keys.ragged, splits);
    }

    private static void requireCount(String what, List<String> keys, List<?> types) {
      if (keys.size() != types.size()) {
        throw TributaryException.invalidArgument(
            "Expected len(%s) == %d, the number of their types or shapes, but got: %d",
            what, types.size(), keys.size());
      }
    }

    /** Parses input 0 and sets all outputs. */
    void parse(
        KernelContext context, Tensor names, Keys keys, int firstDefault, boolean withLengths) {
      List<DenseFeature> contextFeatures = new ArrayList<>();
      for (int i = 0; i < contextDense.size(); i++) {
        contextFeatures.add(
            new DenseFeature(
                keys.contextDense.get(i),
                contextDense.get(i),
                contextShapes.get(i),
                context.input(firstDefault + i)));
      }
      List<DenseRowsFeature> denseFeatures = new ArrayList<>();
      for (int i = 0; i < dense.size(); i++) {
        String key = keys.dense.get(i);
        denseFeatures.add(
            new DenseRowsFeature(
                key, dense.get(i), denseShapes.get(i), keys.mayBeMissing.contains(key)));
      }
      SequenceExampleParser parser =
          new SequenceExampleParser(
              new ExampleParser(
                  listFeatures(keys.contextSparse, contextSparse),
                  contextFeatures,
                  listFeatures(keys.contextRagged, contextRagged),
                  contextSplits),
              rowsFeatures(keys.sparse, sparse),
              denseFeatures,
              rowsFeatures(keys.ragged, ragged),
              splits);
      List<Tensor> parsed =
          parser.parse(
              context.input(0),
              names.elementCount() == 0 ? NO_NAMES : names.toStrings(),
              withLengths,
              context.allocator());
      for (int i = 0; i < parsed.size(); i++) {
        context.setOutput(i, parsed.get(i));
      }
    }

    private static List<ListFeature> listFeatures(List<String> keys, List<DataType> types) {
      List<ListFeature> features = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        features.add(new ListFeature(keys.get(i), types.get(i)));
      }
      return features;
    }

    private static List<RowsFeature> rowsFeatures(List<String> keys, List<DataType> types) {
      List<RowsFeature> features = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        features.add(new RowsFeature(keys.get(i), types.get(i)));
      }
      return features;
    }
  }
}
