package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.AllocatorStats;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What steps leave behind when they are run again and again: nothing native, and little garbage.
 */
@Timeout(120)
@Tag("slow")
class SteadyStateTest {
  private static final int TINY_STEPS = 1_000_000;
  private static final int WARM_UP = 40;
  private static final int STEPS = 20;
  private static final int BATCH = 128;
  private static final long GARBAGE_LIMIT = 20_000;

  private final Ops tf = Ops.create();
  private final Random random = new Random(7);

  @Test
  void tinySteps_aMillion_leaveThePoolWhereItWas() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.scalar());
    Output y = tf.mul(tf.add(x, x), x);
    try (Session session = Session.local(tf.graph());
        StepCallable step = session.prepare(List.of(x), List.of(y), List.of());
        Tensor feed = Tensor.scalar(3f)) {
      step.run(feed).close();
      AllocatorStats before = Allocator.shared().stats();
      float last = 0;
      for (int i = 0; i < TINY_STEPS; i++) {
        try (StepResult result = step.run(feed)) {
          last = result.get(0).floatValue();
        }
      }
      AllocatorStats after = Allocator.shared().stats();

      assertThat(last).isEqualTo(18);
      // Graphs of earlier tests may be collected meanwhile, and their tensors go to the cache.
      assertThat(after.liveBuffers()).isLessThanOrEqualTo(before.liveBuffers());
      assertThat(after.liveBytes()).isLessThanOrEqualTo(before.liveBytes());
      assertThat(after.liveBytes() + after.cachedBytes())
          .isLessThanOrEqualTo(before.liveBytes() + before.cachedBytes());
      assertThat(freshBlocks(before, after)).isZero();
    }
  }

  @Test
  void perceptron_afterWarmUp_allocatesNoBlocksAndLittleGarbage() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(BATCH, 784));
    Output labels = tf.placeholder(DataType.FLOAT, Shape.of(BATCH, 10));
    Output hidden = tf.relu(dense(x, 784, 512));
    Output logits = dense(tf.relu(dense(hidden, 512, 256)), 256, 10);
    Output loss = tf.mean(tf.nn.softmaxCrossEntropyWithLogits(labels, logits));
    Operation train = descent(loss);
    try (Session session = Session.local(tf.graph());
        Tensor images = uniform(Shape.of(BATCH, 784), 1);
        Tensor classes = Tensor.zeros(DataType.FLOAT, Shape.of(BATCH, 10))) {
      session.run(tf.globalVariablesInitializer());
      try (StepCallable step = session.prepare(List.of(x, labels), List.of(loss), List.of(train))) {
        run(step, WARM_UP, images, classes);
        AllocatorStats before = Allocator.shared().stats();
        long heapBefore = allocatedHeap();
        run(step, STEPS, images, classes);
        long heap = allocatedHeap() - heapBefore;
        AllocatorStats after = Allocator.shared().stats();

        assertThat(freshBlocks(before, after)).isZero();
        assertThat(after.liveBytes()).isLessThanOrEqualTo(before.liveBytes());
        assertThat(heap / STEPS).as("bytes of garbage a step").isLessThan(GARBAGE_LIMIT);
      }
    }
  }

  private static void run(StepCallable step, int times, Tensor... feeds) {
    for (int i = 0; i < times; i++) {
      step.run(feeds).close();
    }
  }

  /** How many blocks the pool did not have. */
  private static long freshBlocks(AllocatorStats before, AllocatorStats after) {
    return after.allocations() - before.allocations() - (after.reuses() - before.reuses());
  }

  /** What this thread and the threads of sessions have allocated so far. */
  private static long allocatedHeap() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("tributary-")) {
        bytes += Math.max(0, threads.getThreadAllocatedBytes(thread.getId()));
      }
    }
    return bytes;
  }

  private Output dense(Output x, int from, int to) {
    Variable weights =
        tf.variable(
            "weights", tf.constant(uniform(Shape.of(from, to), (float) (1 / Math.sqrt(from)))));
    Variable biases = tf.variable("biases", tf.constant(new float[to]));
    return tf.biasAdd(tf.matMul(x, weights.value()), biases.value());
  }

  private Operation descent(Output loss) {
    List<Variable> variables = Variable.trainable(tf.graph());
    List<Output> gradients =
        Gradients.dense(tf, loss, variables.stream().map(Variable::handle).toList());
    Output rate = tf.constant(0.01f);
    List<Operation> updates = new ArrayList<>();
    for (int i = 0; i < gradients.size(); i++) {
      updates.add(
          tf.training.applyGradientDescent(variables.get(i).handle(), rate, gradients.get(i)));
    }
    return tf.group(updates);
  }

  private Tensor uniform(Shape shape, float limit) {
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = limit * random.nextFloat();
    }
    return Tensor.of(shape, values);
  }
}
