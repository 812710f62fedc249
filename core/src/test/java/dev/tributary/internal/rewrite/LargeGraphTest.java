package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.internal.executor.ExecutableGraph;
import dev.tributary.internal.executor.GraphCompiler;
import dev.tributary.internal.executor.StatefulKernels;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.TinyOps;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Preparing a step takes time linear in its size, and no stack. */
class LargeGraphTest {
  private static final int NODES = 20_000;

  private final TinyOps tf = new TinyOps();

  @AfterEach
  void close() {
    tf.close();
  }

  /** A third of a second when it is linear; work quadratic in the nodes would take minutes. */
  @Test
  @Timeout(60)
  void prepare_twentyThousandNodes_isDone() {
    Output x = tf.placeholder(Shape.scalar());
    Output one = tf.constant(1);
    Output fed = x;
    Output constant = one;
    Output twin = x;
    for (int i = 0; i < NODES / 4; i++) {
      fed = tf.sub(fed, constant);
      constant = tf.add(constant, one);
      twin = tf.sub(twin, tf.add(one, constant));
    }

    assertThat(prepare(fed, constant, twin)).isLessThan(NODES);
  }

  private int prepare(Output... fetches) {
    StepGraph graph = Steps.fetching(tf, fetches);
    String device = Steps.device().name();
    new Placer(List.of(device), device, false, (op, type) -> true).place(graph);
    try (FoldedConstants constants = ConstantFolding.run(graph, Steps.device())) {
      Simplification.run(graph);
      CommonSubexpressions.run(graph);
      Fusion.run(graph);
      ExecutableGraph compiled =
          GraphCompiler.compile(graph, Steps.device(), new StatefulKernels());
      return compiled.size();
    }
  }
}
