package dev.tributary.ops;

import dev.tributary.graph.DeviceFunction;
import dev.tributary.graph.Graph;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpRegistry;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds operations to a graph, in one scope. The families are fields: {@code tf.math.add(a, b)}, {@code tf.nn.relu(x)}. Immutable;
 * each {@code with} method gives an {@code Ops} for a narrower scope.
 *
 * <pre>{@code
 * Ops tf = Ops.create();
 * Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, 784));
 * Output hidden = tf.withSubScope("layer1").withDevice("/job:ps").math.add(x, x);
 * }</pre>
 */
public final class Ops {
  public final ArrayOps array;

  private final Scope scope;

  public Ops(Scope scope) {
    this.scope = scope;
    this.array = new ArrayOps(scope);
  }

  /** A new graph with all ops of this library, and the way to fill it. */
  public static Ops create() {
    return new Ops(new Graph(registry()).scope());
  }

  /** All ops of this library. */
  public static OpRegistry registry() {
    List<OpDeclaration> all = new ArrayList<>();
    all.addAll(FunctionOps.declarations());
    all.addAll(ArrayOps.declarations());
    return new OpRegistry(all);
  }

  public Graph graph() {
    return scope.graph();
  }

  public Scope scope() {
    return scope;
  }

  // ---- scopes ----

  /** Names that start with {@code name/}; used again, {@code name_1/}. */
  public Ops withSubScope(String name) {
    return new Ops(scope.withSubScope(name));
  }

  /** The name of the next operation. */
  public Ops withName(String name) {
    return new Ops(scope.withName(name));
  }

  public Ops withDevice(String device) {
    return new Ops(scope.withDevice(device));
  }

  public Ops withDeviceFunction(DeviceFunction function) {
    return new Ops(scope.withDeviceFunction(function));
  }

  public Ops withControlDependencies(Operation... operations) {
    return new Ops(scope.withControlDependencies(List.of(operations)));
  }

  public Ops colocatedWith(Operation operation) {
    return new Ops(scope.colocatedWith(operation));
  }

  // ---- what every graph needs ----

  public Output constant(float value) {
    return array.constant(Tensor.scalar(value));
  }

  public Output constant(int value) {
    return array.constant(Tensor.scalar(value));
  }

  public Output constant(int... values) {
    return array.constant(Tensor.of(values));
  }

  public Output constant(float... values) {
    return array.constant(Tensor.of(values));
  }

  /** A constant; the graph takes over the tensor's reference. */
  public Output constant(Tensor value) {
    return array.constant(value);
  }

  public Output placeholder(DataType type, Shape shape) {
    return array.placeholder(type, shape);
  }
}
