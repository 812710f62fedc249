package dev.tributary.internal.flow;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph on doubles and its session; at the end it gives back the graph's constants, so that a
 * leak shows.
 */
public final class FlowRunner implements AutoCloseable {
  public final Ops tf = Ops.create();
  private Session session;

  /** A value that each run is fed. */
  public Output input(Shape shape) {
    return tf.placeholder(DataType.DOUBLE, shape);
  }

  /** The elements of {@code fetch}, as doubles, when {@code feed} has this value. */
  public double[] run(Output fetch, Output feed, Tensor value) {
    StepRunner step = session().runner().fetch(fetch).feed(feed, value);
    try (value;
        StepResult result = step.run()) {
      return toDoubles(result.get(0));
    }
  }

  public double[] run(Output fetch) {
    try (StepResult result = session().runner().fetch(fetch).run()) {
      return toDoubles(result.get(0));
    }
  }

  public void runTarget(Operation target) {
    session().run(target);
  }

  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
    tf.graph().close();
  }

  private Session session() {
    if (session == null) {
      session = Session.local(tf.graph());
    }
    return session;
  }

  private static double[] toDoubles(Tensor tensor) {
    double[] values = new double[(int) tensor.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(tensor, i);
    }
    return values;
  }

  private static double value(Tensor tensor, int i) {
    switch (tensor.type()) {
      case DOUBLE:
        return tensor.getDouble(i);
      case FLOAT:
        return tensor.getFloat(i);
      case BOOL:
        return tensor.getBoolean(i) ? 1 : 0;
      default:
        return tensor.getIndex(i);
    }
  }

  /** The values of the next iteration: the count raised by one, and others. */
  public static List<Output> counted(Ops tf, Output count, Output... others) {
    List<Output> all = new ArrayList<>(List.of(tf.add(count, tf.constant(1))));
    all.addAll(List.of(others));
    return all;
  }
}
