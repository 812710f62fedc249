package dev.tributary.train.variable;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.function.Function;

/**
 * Variables by which workers agree while they train: all find them under the same names, but they
 * are in no collection, so that no checkpoint holds them and no initialiser but the chief's sets
 * them.
 */
public final class SharedState {
  private SharedState() {}

  /**
   * Where a variable is, whatever device functions the scope has: variables and operations made
   * there stay together.
   */
  public static Ops beside(Ops tf, Variable variable) {
    String device = variable.handle().operation().device().toString();
    return new Ops(tf.scope().withoutDevice().withDevice(device));
  }

  /** A number that begins at zero. */
  public static Variable scalar(Ops beside, String name, DataType type) {
    return variable(beside, name, type, Shape.scalar(), tf -> tf.constant(type, 0));
  }

  /** Int64 numbers, one for each worker, that begin at {@code initial}. */
  public static Variable vector(Ops beside, String name, int size, long initial) {
    return variable(
        beside,
        name,
        DataType.INT64,
        Shape.of(size),
        tf -> tf.fill(tf.constant(new int[] {size}), tf.constant(DataType.INT64, initial)));
  }

  /**
   * @param name without regard to the scope's prefix
   */
  public static Variable variable(
      Ops beside, String name, DataType type, Shape shape, Function<Ops, Output> initialValue) {
    return new Ops(beside.scope().withoutPrefix())
        .state.variable(VariableDefinition.of(name, type, shape, List.of()), initialValue);
  }
}
