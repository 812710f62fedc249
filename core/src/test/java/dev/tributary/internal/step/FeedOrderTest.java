package dev.tributary.internal.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeedOrderTest {
  private final Ops tf = Ops.create();
  private final Output a = tf.placeholder(DataType.FLOAT, Shape.scalar());
  private final Output b = tf.placeholder(DataType.FLOAT, Shape.scalar());
  private final Output c = tf.placeholder(DataType.FLOAT, Shape.scalar());

  @Test
  void apply_feedsInOrder_leavesTheListAsItIs() {
    List<Output> feeds = List.of(a, b, c);

    assertThat(FeedOrder.of(feeds).apply(feeds)).isSameAs(feeds);
  }

  @Test
  void apply_feedsInAnotherOrder_sortsThemAndTheirValues() {
    FeedOrder order = FeedOrder.of(List.of(c, a, b));

    assertThat(order.apply(List.of(c, a, b))).containsExactly(a, b, c);
    assertThat(order.apply(List.of("third", "first", "second")))
        .containsExactly("first", "second", "third");
  }

  @Test
  void apply_sameFeedTwice_keepsBoth() {
    assertThat(FeedOrder.of(List.of(b, a, b)).apply(List.of(1, 2, 3))).containsExactly(2, 1, 3);
  }
}
