package dev.tributary.train.variable;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a table whose parts are in several variables: TensorFlow's {@code embedding_lookup}. Only
 * the rows asked for leave the device of a part, and only their gradients come back.
 */
public final class EmbeddingLookup {
  /** The assignment of rows to parts. */
  public enum Strategy {
    /** Neighbouring rows stay together; the first parts are longer by one if need be. */
    DIV,
    /** Row {@code i} of {@code n} parts is in part {@code i % n}. */
    MOD
  }

  private EmbeddingLookup() {}

  /** The row for each of {@code ids}, in the shape of {@code ids}. */
  public static Output of(Ops tf, List<Variable> parts, Operand ids, Strategy strategy) {
    if (parts.isEmpty()) {
      throw TributaryException.invalidArgument("embedding_lookup needs at least one variable");
    }
    Ops inner = tf.withSubScope("embedding_lookup");
    if (parts.size() == 1) {
      return rows(inner, parts.get(0), ids);
    }
    Output flatIds = inner.reshape(ids, -1);
    Placement placement =
        strategy == Strategy.MOD ? modulo(inner, flatIds, parts) : divided(inner, flatIds, parts);
    Output part = inner.cast(placement.part, DataType.INT32);
    List<Output> rowsOfParts = inner.dataFlow.dynamicPartition(placement.row, part, parts.size());
    List<Output> places =
        inner.dataFlow.dynamicPartition(counted(inner, flatIds), part, parts.size());
    List<Output> found = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      found.add(rows(inner, parts.get(i), rowsOfParts.get(i)));
    }
    Output flat = inner.dataFlow.parallelDynamicStitch(places, found);
    return inner.reshape(flat, resultShape(inner, ids, parts.get(0).shape()));
  }

  /** The part and the row in it for each of some flat ids. */
  private record Placement(Output part, Output row) {}

  private static Placement modulo(Ops tf, Operand ids, List<Variable> parts) {
    Output count = tf.constant(ids.asOutput().type(), parts.size());
    return new Placement(tf.math.floorMod(ids, count), tf.math.floorDiv(ids, count));
  }

  private static Placement divided(Ops tf, Operand ids, List<Variable> parts) {
    long rows = parts.stream().mapToLong(part -> part.shape().size(0)).sum();
    long longer = rows % parts.size();
    // With fewer rows than parts the short parts are empty, and no row is ever in one.
    Output shortSize = tf.constant(ids.asOutput().type(), Math.max(1, rows / parts.size()));
    Output longSize = tf.constant(ids.asOutput().type(), rows / parts.size() + 1);
    Output longParts = tf.constant(ids.asOutput().type(), longer);
    Output behindLong = tf.sub(ids, longParts);
    Output part =
        tf.maximum(tf.math.floorDiv(ids, longSize), tf.math.floorDiv(behindLong, shortSize));
    Output row =
        tf.where(
            tf.less(part, longParts),
            tf.math.floorMod(ids, longSize),
            tf.math.floorMod(behindLong, shortSize));
    return new Placement(part, row);
  }

  private static Output rows(Ops tf, Variable part, Operand ids) {
    Ops beside = tf.colocatedWith(part.handle().operation());
    return beside.identity(beside.state.resourceGather(part.handle(), ids, part.type()));
  }

  private static Output counted(Ops tf, Operand flat) {
    return tf.range(tf.constant(0), tf.size(flat), tf.constant(1));
  }

  private static Output resultShape(Ops tf, Operand ids, Shape table) {
    Output row = tf.cast(tf.constant(table.slice(1, table.rank()).toArray()), DataType.INT32);
    return tf.concat(0, tf.shape(ids), row);
  }
}
