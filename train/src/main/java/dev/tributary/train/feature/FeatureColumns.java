package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Makes feature columns, by the names and rules of TensorFlow's {@code tf.feature_column}.
 *
 * <pre>{@code
 * NumericColumn age = numeric("age");
 * CategoricalColumn job = categoricalWithHashBucket("job", 1000);
 * List<FeatureColumn> wide = List.of(bucketized(age, 18, 30, 50), job, crossed(100, "job", "sex"));
 * List<FeatureColumn> deep = List.of(age, embedding(job, 8));
 * }</pre>
 */
public final class FeatureColumns {
  private FeatureColumns() {}

  /** Returns a column of one float for each example; its methods change shape and type. */
  public static NumericColumn numeric(String key) {
    return NumericColumn.of(key);
  }

  /**
   * Returns the buckets of numbers. The first holds all below the first boundary; each boundary
   * belongs to the bucket above it.
   *
   * @param boundaries in rising order
   */
  public static CategoricalColumn bucketized(NumericColumn source, float... boundaries) {
    return new BucketizedColumn(source, boundaries);
  }

  /** Returns categories from 0 to {@code buckets} - 1; another number fails the step. */
  public static CategoricalColumn categoricalWithIdentity(String key, long buckets) {
    return new IdentityColumn(key, buckets, OptionalLong.empty());
  }

  /**
   * @param defaultValue the category of all other numbers
   */
  public static CategoricalColumn categoricalWithIdentity(
      String key, long buckets, long defaultValue) {
    return new IdentityColumn(key, buckets, OptionalLong.of(defaultValue));
  }

  /** Returns categories by their place in a list; other words have none. */
  public static CategoricalColumn categoricalWithVocabularyList(String key, String... vocabulary) {
    return new VocabularyListColumn(
        key, Arrays.asList(vocabulary), DataType.STRING, UnknownWords.ignored());
  }

  /** Returns categories by their place in a list; other numbers have none. */
  public static CategoricalColumn categoricalWithVocabularyList(String key, long... vocabulary) {
    return new VocabularyListColumn(
        key, Arrays.stream(vocabulary).boxed().toList(), DataType.INT64, UnknownWords.ignored());
  }

  /** Returns categories by their line in a file; other words have none. */
  public static CategoricalColumn categoricalWithVocabularyFile(String key, Path file) {
    return new VocabularyFileColumn(key, file, -1, UnknownWords.ignored());
  }

  /**
   * @param size the number of lines of the file to use
   */
  public static CategoricalColumn categoricalWithVocabularyFile(String key, Path file, long size) {
    return new VocabularyFileColumn(key, file, size, UnknownWords.ignored());
  }

  /** Returns a vocabulary column in which other words get one of some hash buckets of their own. */
  public static CategoricalColumn withUnknownBuckets(CategoricalColumn vocabulary, long buckets) {
    return withUnknown(vocabulary, new UnknownWords(-1, buckets));
  }

  /** Returns a vocabulary column in which other words get this category. */
  public static CategoricalColumn withUnknownAs(CategoricalColumn vocabulary, long category) {
    return withUnknown(vocabulary, new UnknownWords(category, 0));
  }

  private static CategoricalColumn withUnknown(CategoricalColumn column, UnknownWords unknown) {
    if (column instanceof VocabularyListColumn list) {
      return list.with(unknown);
    }
    if (column instanceof VocabularyFileColumn file) {
      return file.with(unknown);
    }
    throw TributaryException.invalidArgument(
        "only columns with a vocabulary have unknown words, '%s' has none", column.name());
  }

  /** Returns categories by the hash of strings. */
  public static CategoricalColumn categoricalWithHashBucket(String key, long buckets) {
    return new HashBucketColumn(key, buckets, DataType.STRING);
  }

  /**
   * @param type string or an integer type; integers are hashed as decimal text
   */
  public static CategoricalColumn categoricalWithHashBucket(
      String key, long buckets, DataType type) {
    return new HashBucketColumn(key, buckets, type);
  }

  /** Returns categories with weights from another feature. */
  public static CategoricalColumn weightedCategorical(
      CategoricalColumn categories, String weightKey) {
    return new WeightedColumn(categories, weightKey);
  }

  /**
   * Returns combinations of categories.
   *
   * @param keys names of features and categorical columns other than hashed ones, two or more
   */
  public static CategoricalColumn crossed(long buckets, Object... keys) {
    return CrossedColumn.of(List.of(keys), buckets, OptionalLong.empty());
  }

  /** Returns combinations of categories, hashed with a key of the caller's choice. */
  public static CategoricalColumn crossedWithHashKey(long buckets, long hashKey, Object... keys) {
    return CrossedColumn.of(List.of(keys), buckets, OptionalLong.of(hashKey));
  }

  /** Returns the number of times that an example has each category, for networks. */
  public static FeatureColumn indicator(CategoricalColumn categories) {
    return new IndicatorColumn(categories);
  }

  /** Returns a trained row of numbers for each category, for networks. */
  public static EmbeddingColumn embedding(CategoricalColumn categories, int dimension) {
    return EmbeddingColumn.of(categories, dimension);
  }

  /**
   * Returns embeddings of several columns in one table. The columns must be of one kind and have
   * equally many categories.
   */
  public static List<EmbeddingColumn> sharedEmbeddings(
      List<? extends CategoricalColumn> categories, int dimension) {
    List<String> names = categories.stream().map(FeatureColumn::name).sorted().toList();
    return sharedEmbeddings(categories, dimension, String.join("_", names) + "_shared_embedding");
  }

  /**
   * @param tableName the scope of the table among the variables
   */
  public static List<EmbeddingColumn> sharedEmbeddings(
      List<? extends CategoricalColumn> categories, int dimension, String tableName) {
    if (categories.isEmpty()) {
      throw TributaryException.invalidArgument("shared embeddings need a column or more");
    }
    CategoricalColumn first = categories.get(0);
    for (CategoricalColumn other : categories) {
      if (other.getClass() != first.getClass() || other.buckets() != first.buckets()) {
        throw TributaryException.invalidArgument(
            "columns that share embeddings must be of one kind and have equally many categories,"
                + " '%s' (%d) and '%s' (%d) do not",
            first, first.buckets(), other, other.buckets());
      }
    }
    return categories.stream()
        .map(column -> EmbeddingColumn.shared(column, dimension, tableName))
        .toList();
  }

  /** Returns the features that columns need in {@code Example} messages. */
  public static FeatureSpec makeParseExampleSpec(List<? extends FeatureColumn> columns) {
    return FeatureSpec.of(columns);
  }
}
