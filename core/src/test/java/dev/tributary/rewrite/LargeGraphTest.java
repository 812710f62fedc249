package dev.tributary.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.executor.ExecutableGraph;
import dev.tributary.executor.GraphCompiler;
import dev.tributary.executor.StatefulKernels;
import dev.tributary.graph.Output;
import dev.tributary.placement.Placer;
import dev.tributary.plan.StepGraph;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.TinyOps;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Preparing a step takes time linear in its size, and no stack. */
class LargeGraphTest {
  private static final int NODES = 20_000;

  private final TinyOps tf = new TinyOps();

  @AfterEach
  void close() {
    tf.close();
  }

  @Test
  void prepare_twentyThousandNodes_isQuick() {
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
    Output[] fetches = {fed, constant, twin};
    prepare(fetches); // Warms up, so that the measured time is not that of the JIT compiler.

    // The thread's own time: that of the clock tells more about what else the machine does.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    int left = prepare(fetches);
    long millis = (threads.getCurrentThreadCpuTime() - start) / 1_000_000;

    assertThat(left).isLessThan(NODES);
    // It takes about 350 ms; work quadratic in the nodes takes many seconds.
    assertThat(millis).isLessThan(2000);
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
