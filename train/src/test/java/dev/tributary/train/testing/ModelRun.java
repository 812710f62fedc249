package dev.tributary.train.testing;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import dev.tributary.train.variable.Variables;
import java.util.function.Function;

/** A local session on a finished graph, which gives fetched values as Java arrays. */
public final class ModelRun implements AutoCloseable {
  private final Session session;

  private ModelRun(Session session) {
    this.session = session;
  }

  /** A session in which no variable has a value. */
  public static ModelRun of(Ops tf) {
    return new ModelRun(Sessions.local(tf.graph()));
  }

  /** A session in which all variables, global and local, have their initial values. */
  public static ModelRun initialized(Ops tf) {
    Operation global = Variables.globalInitializer(tf);
    Operation local = Variables.localInitializer(tf);
    ModelRun run = of(tf);
    run.run(global);
    run.run(local);
    return run;
  }

  public Session session() {
    return session;
  }

  public void run(Operation target) {
    session.run(target);
  }

  /** Runs a step for its effect this many times. */
  public void repeat(int times, Operation target) {
    for (int i = 0; i < times; i++) {
      session.run(target);
    }
  }

  public float[] floats(Output output) {
    return fetch(output, Tensor::toFloats);
  }

  public float floatOf(Output output) {
    return fetch(output, Tensor::floatValue);
  }

  public long longOf(Output output) {
    return fetch(output, Tensor::longValue);
  }

  public int[] ints(Output output) {
    return fetch(output, Tensor::toInts);
  }

  public String[] strings(Output output) {
    return fetch(output, Tensor::toStrings);
  }

  public Shape shapeOf(Output output) {
    return fetch(output, Tensor::shape);
  }

  private <T> T fetch(Output output, Function<Tensor, T> as) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return as.apply(result.get(0));
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
