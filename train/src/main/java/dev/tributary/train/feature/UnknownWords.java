package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;

/**
 * The treatment of words that a vocabulary lacks: one category for all, or hash buckets after those
 * of the vocabulary. Immutable.
 *
 * @param defaultValue -1 for no category
 * @param buckets the number of hash buckets; 0 for the default value
 */
record UnknownWords(long defaultValue, long buckets) {
  static UnknownWords ignored() {
    return new UnknownWords(-1, 0);
  }

  void require(String key, long vocabularySize) {
    if (buckets < 0) {
      throw TributaryException.invalidArgument(
          "column '%s' needs 0 buckets of unknown words or more, got %d", key, buckets);
    }
    if (defaultValue < -1 || (vocabularySize >= 0 && defaultValue >= vocabularySize)) {
      throw TributaryException.invalidArgument(
          "the default of '%s' must be from -1 to %d, got %d",
          key, vocabularySize - 1, defaultValue);
    }
  }

  /** Looks words up; those not in the table get their own categories. */
  Output find(Ops tf, LookupTable table, Output words, long vocabularySize) {
    Output known = table.in(tf).find(words, tf.constant(buckets > 0 ? -1 : defaultValue));
    if (buckets == 0) {
      return known;
    }
    boolean strings = words.type() == DataType.STRING;
    Output text = strings ? words : tf.strings.asString(words);
    Output hashed = tf.strings.toHashBucket(text, buckets);
    Output behind = tf.add(hashed, tf.constant(vocabularySize));
    return tf.where(tf.equal(known, tf.constant(-1L)), behind, known);
  }
}
