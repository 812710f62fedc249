package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.ops.TextFileColumns;
import dev.tributary.tensor.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Categories by their line in a file. An exported model holds the file as an asset. */
final class VocabularyFileColumn extends CategoricalColumn {
  private final Path file;
  private final long size;
  private final UnknownWords unknown;

  /**
   * @param size the number of lines to use; -1 for all
   */
  VocabularyFileColumn(String key, Path file, long size, UnknownWords unknown) {
    super(key);
    this.file = file;
    this.size = size < 0 ? lines(file) : size;
    this.unknown = unknown;
    IdentityColumn.requireBuckets(key, this.size);
    unknown.require(key, this.size);
  }

  VocabularyFileColumn with(UnknownWords newUnknown) {
    return new VocabularyFileColumn(name(), file, size, newUnknown);
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw FileFailure.of("read the vocabulary", file, e);
    }
  }

  @Override
  public FeatureSpec featureSpec() {
    return varying(name(), DataType.STRING);
  }

  @Override
  long buckets() {
    return size + unknown.buckets();
  }

  @Override
  WeightedIds ids(ColumnInputs inputs) {
    Ops tf = inputs.tf().withSubScope(scopeName() + "_lookup");
    SparseTensor words = inputs.sparse(name(), name());
    if (words.values().type() != DataType.STRING) {
      throw TributaryException.invalidArgument(
          "column '%s' needs strings, got %s", name(), words.values().type().lowerName());
    }
    LookupTable table = tf.lookup.hashTable(DataType.STRING, DataType.INT64);
    TextFileColumns lines =
        new TextFileColumns(TextFileColumns.WHOLE_LINE, TextFileColumns.LINE_NUMBER, size, "\t");
    table.initializeFromTextFile(tf.constant(file.toString()), lines);
    return WeightedIds.of(words, unknown.find(tf, table, words.values(), size));
  }
}
