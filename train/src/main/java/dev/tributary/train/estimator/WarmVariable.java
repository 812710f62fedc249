package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableSlice;
import dev.tributary.session.Session;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A variable, or a part of one, that begins with a value of another model.
 *
 * @param oldName the name in the other model
 * @param old the fed value of the whole old variable
 * @param shape the shape that the old value must have, but for rows that move
 * @param movedAxis the axis along which it may have another size, or -1
 */
record WarmVariable(String oldName, Output old, Operation assign, Shape shape, int movedAxis) {
  static WarmVariable of(
      Ops tf, Variable variable, String oldName, Optional<VocabularyChange> vocabulary) {
    VariableSlice slice =
        variable.slice().orElseGet(() -> VariableSlice.whole(variable.name(), variable.shape()));
    Ops inner = tf.withSubScope("warm_start");
    Output old = inner.placeholder(variable.type(), Shape.unknown());
    Output whole = vocabulary.map(change -> moved(inner, old, change)).orElse(old);
    int[] begin = slice.offset().stream().mapToInt(Long::intValue).toArray();
    int[] size = Arrays.stream(slice.shape().toArray()).mapToInt(n -> (int) n).toArray();
    Output part = slice.isWhole() ? whole : inner.slice(whole, begin, size);
    Operation assign = variable.in(inner).assign(part);
    int axis = vocabulary.map(VocabularyChange::axis).orElse(-1);
    return new WarmVariable(oldName, old, assign, slice.fullShape(), axis);
  }

  /** Puts a row of zeros in front, which words that are new take. */
  private static Output moved(Ops tf, Output old, VocabularyChange change) {
    int[] rows = Arrays.stream(change.oldPlaces()).map(place -> place + 1).toArray();
    Output zeros = tf.zerosLike(tf.gather(old, tf.constant(new int[] {0}), change.axis()));
    return tf.gather(tf.concat(change.axis(), zeros, old), tf.constant(rows), change.axis());
  }

  /** Reads the values of a checkpoint and assigns them. */
  static void setAll(List<WarmVariable> variables, Path prefix, Session session) {
    try (BundleReader checkpoint = BundleReader.open(prefix)) {
      for (WarmVariable variable : variables) {
        variable.set(checkpoint, prefix, session);
      }
    }
  }

  private void set(BundleReader checkpoint, Path prefix, Session session) {
    if (checkpoint.find(oldName).isEmpty()) {
      throw TributaryException.notFound(
          "the warm start %s has no variable '%s'; it has %s", prefix, oldName, checkpoint.names());
    }
    try (Tensor value = checkpoint.read(oldName)) {
      boolean fits = value.shape().rank() == shape.rank();
      for (int i = 0; fits && i < shape.rank(); i++) {
        fits = i == movedAxis || value.shape().size(i) == shape.size(i);
      }
      if (!fits) {
        throw TributaryException.invalidArgument(
            "the warm start %s has variable '%s' with shape %s, wanted %s",
            prefix, oldName, value.shape(), shape);
      }
      session.runner().feed(old, value).target(assign).run().close();
    }
  }
}
