package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Work on so many rows of a variable that several threads share it. */
@NoLeaks
class SharedRowsTest {
  private static final int ROWS = 700;
  private static final int WIDTH = 96;
  private static final int IDS = 12_007;

  private final Random random = new Random(20261116);
  private final int[] ids = random.ints(IDS, 0, ROWS).toArray();
  private final float[] initial = floats(ROWS * WIDTH);
  private final Ops tf = Ops.create();
  private final Output fedIds = tf.placeholder(DataType.INT32, Shape.of(IDS));
  private final Variable v = tf.variable("v", tf.constant(Shape.of(ROWS, WIDTH), initial));

  @Test
  void rows_gathered_areThoseOfTheirIds() {
    float[] wanted = new float[IDS * WIDTH];
    for (int i = 0; i < IDS; i++) {
      System.arraycopy(initial, ids[i] * WIDTH, wanted, i * WIDTH, WIDTH);
    }
    Output rows = tf.state.resourceGather(v.handle(), fedIds, DataType.FLOAT);

    try (Session session = session();
        Tensor of = Tensor.of(ids);
        StepResult result = session.runner().feed(fedIds, of).fetch(rows).run()) {
      assertThat(result.get(0).toFloats()).isEqualTo(wanted);
    }
  }

  /** Sums of floats depend on the order in which they are added. */
  @Test
  void rows_namedManyTimes_areChangedInTheOrderOfTheirUpdates() {
    float[] updates = floats(IDS * WIDTH);
    float[] wanted = initial.clone();
    for (int i = 0; i < IDS; i++) {
      for (int j = 0; j < WIDTH; j++) {
        wanted[ids[i] * WIDTH + j] -= updates[i * WIDTH + j];
      }
    }
    Output fedUpdates = tf.placeholder(DataType.FLOAT, Shape.of(IDS, WIDTH));
    Operation scatter = tf.state.resourceScatterSub(v.handle(), fedIds, fedUpdates);

    try (Session session = session();
        Tensor of = Tensor.of(ids);
        Tensor by = Tensor.of(Shape.of(IDS, WIDTH), updates)) {
      session.runner().feed(fedIds, of).feed(fedUpdates, by).target(scatter).run().close();
      try (StepResult result = session.runner().fetch(v.value()).run()) {
        assertThat(result.get(0).toFloats()).isEqualTo(wanted);
      }
    }
  }

  private Session session() {
    Session session = Session.local(tf.graph(), SessionOptions.defaults().withIntraOpThreads(3));
    session.run(v.initializer());
    return session;
  }

  private float[] floats(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat();
    }
    return values;
  }
}
