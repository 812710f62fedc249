package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import java.util.HashSet;
import java.util.List;

/** Categories by their place in a list of strings or integers. */
final class VocabularyListColumn extends CategoricalColumn {
  private final List<?> vocabulary;
  private final DataType type;
  private final UnknownWords unknown;

  VocabularyListColumn(String key, List<?> vocabulary, DataType type, UnknownWords unknown) {
    super(key);
    if (vocabulary.isEmpty()) {
      throw TributaryException.invalidArgument("the vocabulary of '%s' is empty", key);
    }
    if (new HashSet<>(vocabulary).size() < vocabulary.size()) {
      throw TributaryException.invalidArgument(
          "the vocabulary of '%s' has a word twice: %s", key, vocabulary);
    }
    unknown.require(key, vocabulary.size());
    this.vocabulary = List.copyOf(vocabulary);
    this.type = type;
    this.unknown = unknown;
  }

  VocabularyListColumn with(UnknownWords newUnknown) {
    return new VocabularyListColumn(name(), vocabulary, type, newUnknown);
  }

  @Override
  public FeatureSpec featureSpec() {
    return varying(name(), type);
  }

  @Override
  long buckets() {
    return vocabulary.size() + unknown.buckets();
  }

  @Override
  WeightedIds ids(ColumnInputs inputs) {
    Ops tf = inputs.tf().withSubScope(scopeName() + "_lookup");
    SparseTensor words = inputs.sparse(name(), name());
    boolean strings = words.values().type() == DataType.STRING;
    if (strings != (type == DataType.STRING)) {
      throw TributaryException.invalidArgument(
          "column '%s' has a vocabulary of %s, but the feature is %s",
          name(), type.lowerName(), words.values().type().lowerName());
    }
    LookupTable table = tf.lookup.hashTable(type, DataType.INT64);
    table.initialize(keys(tf), places(tf));
    Output keys = strings ? words.values() : tf.cast(words.values(), type);
    return WeightedIds.of(words, unknown.find(tf, table, keys, vocabulary.size()));
  }

  private Output keys(Ops tf) {
    return type == DataType.STRING
        ? tf.constant(vocabulary.stream().map(String.class::cast).toArray(String[]::new))
        : tf.constant(vocabulary.stream().mapToLong(word -> ((Number) word).longValue()).toArray());
  }

  private Output places(Ops tf) {
    long[] places = new long[vocabulary.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = i;
    }
    return tf.constant(places);
  }
}
