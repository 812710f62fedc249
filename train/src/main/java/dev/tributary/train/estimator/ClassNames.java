package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import java.util.stream.LongStream;

/** Translates between names and numbers of classes in a graph. Immutable. */
record ClassNames(Classes classes) {
  /** Returns the numbers of labels: their own, or those of their names. */
  Output ids(Ops tf, Output labels) {
    boolean named = !classes.names().isEmpty();
    if (named != (labels.type() == DataType.STRING)) {
      throw TributaryException.invalidArgument(
          named
              ? "labels must be names of classes, %s, got %s"
              : "labels are %2$s; give the classifier the names of its classes"
                  + " (Classes.classes(\"a\", \"b\")), or labels that are numbers%1$.0s",
          classes.names(),
          labels.type().lowerName());
    }
    if (!named) {
      return labels;
    }
    LookupTable table = tf.lookup.hashTable(DataType.STRING, DataType.INT64);
    Output numbers = tf.constant(LongStream.range(0, classes.count()).toArray());
    table.initialize(tf.constant(classes.names().toArray(new String[0])), numbers);
    return table.in(tf).find(labels, tf.constant(-1L));
  }

  /** Returns the name of each number; without names, its decimal digits. */
  Output names(Ops tf, Output ids) {
    return classes.names().isEmpty()
        ? tf.strings.asString(ids)
        : tf.gather(tf.constant(classes.names().toArray(new String[0])), ids);
  }

  /** Returns all numbers in a row for each of some logits, int32. */
  Output allIds(Ops tf, Output logits) {
    Output zeros =
        tf.cast(
            tf.slice(tf.zerosLike(logits), new int[] {0, 0}, new int[] {-1, 1}), DataType.INT32);
    return tf.add(zeros, tf.range(tf.constant(0), tf.constant(classes.count()), tf.constant(1)));
  }
}
