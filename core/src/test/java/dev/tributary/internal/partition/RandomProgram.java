package dev.tributary.internal.partition;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random graph on 2x2 matrices whose every operation asks for a random device: arithmetic,
 * branches, loops, nested ones, and variables of both kinds. The accesses to a variable are ordered
 * by control edges, so that its values do not depend on luck.
 */
final class RandomProgram implements AutoCloseable {
  private static final Shape SHAPE = Shape.of(2, 2);
  private static final int DEPTH = 3;

  private final Random random;
  private final Random places;
  private final int tasks;
  private final int devices;
  private final Ops tf = Ops.create();
  private final List<Operation> initializers = new ArrayList<>();
  private final List<Output> fetches = new ArrayList<>();

  private RandomProgram(long seed, int tasks, int devices) {
    this.random = new Random(seed);
    this.places = new Random(seed);
    this.tasks = tasks;
    this.devices = devices;
    List<Output> values = new ArrayList<>(List.of(constant(tf), constant(tf)));
    values.add(refVariable(values));
    values.add(resourceVariable(values));
    fetches.addAll(values.subList(2, 4));
    for (int i = 0; i < 8; i++) {
      values.add(next(tf, values, 0));
    }
    for (int i = 0; i < 3; i++) {
      Output fetch = pick(values);
      if (!fetches.contains(fetch)) {
        fetches.add(fetch);
      }
    }
  }

  /** The program of a seed for a cluster of so many tasks, each with so many devices. */
  static RandomProgram over(long seed, int tasks, int devices) {
    return new RandomProgram(seed, tasks, devices);
  }

  /** The same program without devices. */
  static RandomProgram anywhere(long seed) {
    return new RandomProgram(seed, 0, 0);
  }

  Graph graph() {
    return tf.graph();
  }

  List<Operation> initializers() {
    return initializers;
  }

  List<Output> fetches() {
    return fetches;
  }

  @Override
  public void close() {
    tf.graph().close();
  }

  private Output next(Ops scope, List<Output> values, int depth) {
    Ops here = anywhere(scope);
    switch (random.nextInt(depth < DEPTH ? 10 : 6)) {
      case 0:
        return here.matMul(pick(values), pick(values));
      case 1:
        return here.sub(pick(values), pick(values));
      case 2:
        return here.tanh(pick(values));
      case 3:
        return here.identity(pick(values));
      case 4:
        return ordered(here, values);
      case 5:
        return here.mul(pick(values), constant(scope));
      case 6:
      case 7:
        return branch(here, values, depth + 1);
      default:
        return loop(here, values, depth + 1);
    }
  }

  /** A value that waits for others by control edges only. */
  private Output ordered(Ops here, List<Output> values) {
    Operation first = pick(values).operation();
    Operation none = anywhere(here).withControlDependencies(first).noOp();
    return here.withControlDependencies(none).neg(pick(values));
  }

  private Output branch(Ops here, List<Output> values, int depth) {
    Output sum = here.sum(pick(values));
    Output predicate = here.less(sum, here.constant((float) random.nextGaussian()));
    return here.flow
        .cond(
            predicate,
            t -> List.of(next(t, values, depth)),
            f -> List.of(f.neg(next(f, values, depth))))
        .get(0);
  }

  private Output loop(Ops here, List<Output> values, int depth) {
    int limit = random.nextInt(4);
    List<Output> start = List.of(here.constant(0), pick(values));
    return here.flow
        .whileLoop(
            start,
            (c, v) -> anywhere(c).less(v.get(0), anywhere(c).constant(limit)),
            (b, v) -> {
              List<Output> inner = new ArrayList<>(values);
              inner.add(v.get(1));
              inner.add(v.get(1));
              Output value = anywhere(b).tanh(next(b, inner, depth));
              return List.of(anywhere(b).add(v.get(0), b.constant(1)), value);
            })
        .get(1);
  }

  /** Assigned and read in turn; reads take the variable itself, wherever they run. */
  private Output refVariable(List<Output> values) {
    Ops home = anywhere(tf);
    Output variable = home.state.variableV2(DataType.FLOAT, SHAPE);
    initializers.add(home.state.assign(variable, constant(tf)).operation());
    Operation last = anywhere(tf).add(variable, pick(values)).operation();
    for (int i = 0; i < 2; i++) {
      Operation change =
          tf.withControlDependencies(last).state.assignAdd(variable, pick(values)).operation();
      Operation signal = anywhere(tf).withControlDependencies(change).noOp();
      last = anywhere(tf).withControlDependencies(signal).sub(variable, pick(values)).operation();
    }
    return last.output(0);
  }

  private Output resourceVariable(List<Output> values) {
    Ops home = anywhere(tf);
    Output handle = home.state.varHandleOp(DataType.FLOAT, SHAPE, "resource");
    initializers.add(home.state.assignVariableOp(handle, constant(tf)));
    Operation last = tf.state.assignAddVariableOp(handle, pick(values));
    Operation signal = anywhere(tf).withControlDependencies(last).noOp();
    return tf.withControlDependencies(signal).state.readVariableOp(handle, DataType.FLOAT);
  }

  private Ops anywhere(Ops scope) {
    if (tasks == 0) {
      return scope;
    }
    int task = places.nextInt(tasks);
    switch (places.nextInt(4)) {
      case 0:
        return scope;
      case 1:
        return scope.withDevice("/job:worker/task:" + task);
      default:
        return scope.withDevice(OneProcessCluster.deviceName(task, places.nextInt(devices)));
    }
  }

  private Output constant(Ops scope) {
    float[] elements = new float[4];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) random.nextGaussian();
    }
    return anywhere(scope).constant(SHAPE, elements);
  }

  private Output pick(List<Output> values) {
    return values.get(random.nextInt(values.size()));
  }
}
