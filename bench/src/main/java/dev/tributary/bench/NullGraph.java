package dev.tributary.bench;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * The smallest step that needs two tasks: the worker multiplies a scalar, the parameter server adds
 * it to its variable, which begins as 1. Owns its session; confined to one thread.
 */
public final class NullGraph implements AutoCloseable {
  /** The value that the worker multiplies. */
  public enum Input {
    /** A 1 that the client feeds; each step adds a half. */
    feed,
    /** The variable itself; a step adds next to nothing. */
    variable
  }

  private final Session session;
  private final Output value;
  private final StepCallable step;
  private final Tensor[] feeds;

  /** Opens a session; the first client initializes the variable. */
  public NullGraph(Replica replica, VariableKind kind, Input input) {
    Ops tf = Ops.create();
    Ops worker = replica.worker(tf);
    Ops ps = replica.ps(tf);
    CourseVariable v = new CourseVariable(ps, kind, "v", ps.constant(1f));
    Output x =
        switch (input) {
          case feed -> worker.placeholder(DataType.FLOAT, Shape.scalar());
          case variable -> v.value();
        };
    float factor = input == Input.feed ? 0.5f : 1e-9f;
    var update = v.add(worker.mul(x, worker.constant(factor)));
    value = v.value();
    session = replica.open(tf.graph());
    if (replica.isFirst()) {
      session.run(v.initializer());
    }
    boolean isFed = input == Input.feed;
    step = session.prepare(isFed ? List.of(x) : List.of(), List.of(), List.of(update));
    feeds = isFed ? new Tensor[] {Tensor.scalar(1f)} : new Tensor[0];
  }

  public void step() {
    step.run(feeds).close();
  }

  /** The variable as it is now. */
  float value() {
    try (StepResult result = session.runner().fetch(value).run()) {
      return result.get(0).getFloat(0);
    }
  }

  @Override
  public void close() {
    step.close();
    session.close();
    List.of(feeds).forEach(Tensor::close);
  }
}
