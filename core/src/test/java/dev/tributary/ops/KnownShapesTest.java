package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Shapes that graphs compute with, as far as they can be known before a step: seen by what a Fill
 * makes of them.
 */
class KnownShapesTest {
  private final Ops tf = Ops.create();
  private final Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, 3, 4));
  private final Output shape = tf.shape(x);

  @Test
  void pack_ofASizeAndAConstant_isKnownWhereTheSizeIs() {
    Output sizes = tf.stack(tf.array.at(shape, 0), tf.constant(12));

    assertThat(filled(sizes)).isEqualTo(Shape.of(-1, 12));
  }

  @Test
  void stridedSlice_lastSizesBackwards_areKnown() {
    Output sizes = tf.array.stridedSlice(shape, new int[] {2}, new int[] {0}, new int[] {-1});

    assertThat(filled(sizes)).isEqualTo(Shape.of(4, 3));
  }

  @Test
  void slice_ofAShape_isKnown() {
    assertThat(filled(tf.slice(shape, new int[] {1}, new int[] {-1}))).isEqualTo(Shape.of(3, 4));
  }

  @Test
  void concat_ofAFedVectorAndAShape_isKnownWhereTheShapeIs() {
    Output fed = tf.placeholder(DataType.INT32, Shape.of(1));

    assertThat(filled(tf.concat(0, fed, tf.slice(shape, new int[] {1}, new int[] {2}))))
        .isEqualTo(Shape.of(-1, 3, 4));
  }

  @Test
  void gather_ofAShape_isKnown() {
    assertThat(filled(tf.gather(shape, tf.constant(2, 0, 1)))).isEqualTo(Shape.of(4, -1, 3));
  }

  @Test
  void reshapedScalar_isAKnownVector() {
    assertThat(filled(tf.reshape(tf.array.at(shape, 1), -1))).isEqualTo(Shape.of(3));
  }

  @Test
  void expandedAndSqueezedSize_isKnown() {
    Output size = tf.squeeze(tf.expandDims(tf.array.at(shape, -1), 0));

    assertThat(filled(tf.array.pack(List.of(size, size), 0))).isEqualTo(Shape.of(4, 4));
  }

  @Test
  void stridedSlice_unknownEnd_isKnownInRankOnly() {
    Output end = tf.placeholder(DataType.INT32, Shape.of(1));
    Output part =
        tf.scope()
            .operation("StridedSlice")
            .input(x)
            .input(tf.constant(new int[] {0}))
            .input(end)
            .input(tf.constant(new int[] {1}))
            .buildOutput();

    assertThat(part.shape()).isEqualTo(Shape.of(-1, 3, 4));
  }

  private Shape filled(Output sizes) {
    return tf.fill(sizes, tf.constant(1f)).shape();
  }
}
