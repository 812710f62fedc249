package dev.tributary.bench.scale;

import dev.tributary.bench.Checks;
import dev.tributary.bench.PreparedGraph;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * A step that needs every task of a cluster: each adds 1 to what the first one is fed, and the
 * first one adds up what all have got. Owns its session, which is at the first task; confined to
 * one thread.
 */
final class SpanningGraph implements AutoCloseable {
  private static final float X = 2;

  private final int tasks;
  private final PreparedGraph step;
  private final Tensor x = Tensor.scalar(X);

  SpanningGraph(ClusterSpec cluster) {
    List<TaskName> names = cluster.tasks();
    tasks = names.size();
    Ops tf = Ops.create();
    Ops first = on(tf, names.get(0));
    Output fed = first.placeholder(DataType.FLOAT, Shape.scalar());
    List<Output> terms = new ArrayList<>();
    for (TaskName name : names) {
      Ops task = on(tf, name);
      terms.add(task.add(fed, task.constant(1f)));
    }
    Output sum = first.addN(terms);
    step =
        PreparedGraph.computing(
            Session.open("grpc://" + cluster.hostAndPort(names.get(0)), tf.graph()),
            List.of(fed),
            sum);
  }

  /** The sum of all terms; fails if one is missing. */
  float step() {
    float sum = step.run(x);
    Checks.equal("sum over " + tasks + " tasks", sum, tasks * (X + 1));
    return sum;
  }

  @Override
  public void close() {
    step.close();
    x.close();
  }

  private static Ops on(Ops tf, TaskName task) {
    return tf.withDevice(task.device("CPU", 0));
  }
}
