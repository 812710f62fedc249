package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Splits batches. Where a batch cannot be divided, the first pieces are longer by one, as
 * TensorFlow has it.
 */
final class BatchSplit {
  private BatchSplit() {}

  static List<Output> pieces(Output batch, int pieces) {
    Shape shape = batch.shape();
    if (shape.isScalar()) {
      throw TributaryException.invalidArgument(
          "%s has no batch dimension to split over replicas", batch);
    }
    Ops tf = new Ops(batch.graph().scope()).colocatedWith(batch.operation());
    if (shape.hasRank() && shape.size(0) >= 0 && shape.size(0) % pieces == 0) {
      return tf.split(batch, pieces, 0);
    }
    return tf.scope()
        .operation("SplitV")
        .input(batch)
        .input(sizes(tf, batch, pieces))
        .input(tf.constant(0))
        .attr("num_split", pieces)
        .build()
        .outputs();
  }

  private static Output sizes(Ops tf, Output batch, int pieces) {
    Output size = tf.slice(tf.shape(batch), new int[] {0}, new int[] {1});
    Output count = tf.constant(new int[] {pieces});
    Output numbers = tf.constant(IntStream.range(0, pieces).toArray());
    Output longer = tf.less(numbers, tf.math.floorMod(size, count));
    return tf.add(tf.math.floorDiv(size, count), tf.cast(longer, DataType.INT32));
  }
}
