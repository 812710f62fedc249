package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A loop that changes a list changes one list. If each iteration made a copy, the copies alone
 * would be several times the garbage that is allowed here.
 */
@Timeout(120)
class TensorListInPlaceTest {
  private static final int SIZE = 10_000;
  private static final long BYTES_OF_COPIES = (long) SIZE * SIZE * 4 / 2;

  private final Ops tf = Ops.create();

  @Test
  void setItem_inALoop_copiesNothing() {
    Output list = tf.lists.reserve(DataType.FLOAT, Shape.scalar(), tf.constant(SIZE));
    Output filled = loop(list, (t, v) -> t.lists.setItem(v.get(1), v.get(0), t.constant(2f)));

    requireLittleGarbage(tf.lists.stack(filled, DataType.FLOAT, Shape.scalar()), 2f * SIZE);
  }

  @Test
  void pushBack_inALoop_copiesNothing() {
    Output list = tf.lists.empty(DataType.FLOAT, Shape.scalar());
    Output filled = loop(list, (t, v) -> t.lists.pushBack(v.get(1), t.constant(2f)));

    requireLittleGarbage(tf.lists.stack(filled, DataType.FLOAT, Shape.scalar()), 2f * SIZE);
  }

  @Test
  void gradient_ofALoopThatFillsAList_copiesNothing() {
    Output x = tf.constant(3f);
    Output list = tf.lists.reserve(DataType.FLOAT, Shape.scalar(), tf.constant(SIZE));
    Output filled = loop(list, (t, v) -> t.lists.setItem(v.get(1), v.get(0), t.square(x)));
    Output all = tf.lists.stack(filled, DataType.FLOAT, Shape.scalar());
    Output slope = (Output) Gradients.of(all, List.of(x)).get(0);

    requireLittleGarbage(slope, 6f * SIZE);
  }

  private Output loop(
      Output list, java.util.function.BiFunction<Ops, List<Output>, Output> change) {
    return tf.flow
        .whileLoop(
            List.of(tf.constant(0), list),
            (t, v) -> t.less(v.get(0), t.constant(SIZE)),
            (t, v) -> List.of(t.add(v.get(0), t.constant(1)), change.apply(t, v)))
        .get(1);
  }

  private void requireLittleGarbage(Output fetch, float sum) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Output total = tf.sum(fetch);
    try (Graph graph = tf.graph();
        Session session = Session.local(graph)) {
      long before = threads.getCurrentThreadAllocatedBytes();
      try (StepResult result = session.runner().fetch(total).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(sum);
      }
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(BYTES_OF_COPIES / 2);
    }
  }
}
