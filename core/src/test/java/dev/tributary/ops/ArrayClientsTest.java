package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.tensor.Shape;
import org.junit.jupiter.api.Test;

/** Client methods of array ops whose arguments are more than operands. */
class ArrayClientsTest {
  private final Ops tf = Ops.create();

  @Test
  void stridedSlice_withMasks_ignoresBeginAndEndAndRemovesTheAxis() {
    Output matrix = tf.constant(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    Output begin = tf.constant(1, 2);
    Output end = tf.constant(2, 0);
    Output strides = tf.constant(1, -1);

    Output row =
        tf.array.stridedSlice(
            matrix, begin, end, strides, SliceMasks.none().withEnd(2).withShrinkAxis(1));
    Output widened =
        tf.array.stridedSlice(
            matrix, begin, end, strides, SliceMasks.none().withEllipsis(2).withNewAxis(1));

    assertThat(row.shape()).isEqualTo(Shape.of(3));
    assertThat(widened.shape()).isEqualTo(Shape.of(1, 2, 3));
    try (Session session = Session.local(tf.graph())) {
      assertThat(session.fetch(row).toInts()).containsExactly(6, 5, 4);
    }
  }

  @Test
  void mirrorPad_ofEachMode_leavesOutTheEdgeOrNot() {
    Output vector = tf.constant(1, 2, 3);
    int[][] paddings = {{2, 1}};

    Output reflected = tf.array.mirrorPad(vector, paddings, MirrorMode.REFLECT);
    Output symmetric = tf.array.mirrorPad(vector, paddings, MirrorMode.SYMMETRIC);

    try (Session session = Session.local(tf.graph())) {
      assertThat(session.fetch(reflected).toInts()).containsExactly(3, 2, 1, 2, 3, 2);
      assertThat(session.fetch(symmetric).toInts()).containsExactly(2, 1, 1, 2, 3, 3);
    }
  }
}
