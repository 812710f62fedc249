package dev.tributary.train.internal;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.function.Function;

/**
 * Variables that workers share beside the model. All find them under the same names, but they are
 * not in collections, so that they are not saved to checkpoints and only the chief initializes
 * them.
 */
public final class SharedState {
  private SharedState() {}

  /** Returns a scope on the device of a variable, without the device functions of {@code tf}. */
  public static Ops beside(Ops tf, Variable variable) {
    String device = variable.handle().operation().device().toString();
    return new Ops(tf.scope().withoutDevice().withDevice(device));
  }

  /** Creates a scalar with the initial value 0. */
  public static Variable scalar(Ops beside, String name, DataType type) {
    return variable(beside, name, type, Shape.scalar(), tf -> tf.constant(type, 0));
  }

  /** Creates a vector of int64 with the initial value {@code initial}. */
  public static Variable vector(Ops beside, String name, int size, long initial) {
    return variable(
        beside,
        name,
        DataType.INT64,
        Shape.of(size),
        tf -> tf.fill(tf.constant(new int[] {size}), tf.constant(DataType.INT64, initial)));
  }

  /**
   * @param name the name, to which the prefix of the scope is not added
   */
  public static Variable variable(
      Ops beside, String name, DataType type, Shape shape, Function<Ops, Output> initialValue) {
    return new Ops(beside.scope().withoutPrefix())
        .state.variable(VariableDefinition.of(name, type, shape, List.of()), initialValue);
  }
}
