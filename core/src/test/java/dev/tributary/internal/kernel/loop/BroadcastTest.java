package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import org.junit.jupiter.api.Test;

class BroadcastTest {
  @Test
  void shape_knownSizes_repeatsOnes() {
    assertThat(Broadcast.shape(Shape.of(2, 1, 3), Shape.of(4, 1))).isEqualTo(Shape.of(2, 4, 3));
    assertThat(Broadcast.shape(Shape.scalar(), Shape.of(0))).isEqualTo(Shape.of(0));
    assertThat(Broadcast.shape(Shape.of(1), Shape.of(0))).isEqualTo(Shape.of(0));
    assertThat(Broadcast.shape(Shape.of(2, 1), Shape.of(1), Shape.of(3))).isEqualTo(Shape.of(2, 3));
  }

  @Test
  void shape_unknownSizes_tellsWhatIsKnown() {
    assertThat(Broadcast.shape(Shape.unknown(), Shape.of(2))).isEqualTo(Shape.unknown());
    assertThat(Broadcast.shape(Shape.of(-1, 3), Shape.of(5, 1))).isEqualTo(Shape.of(5, 3));
    assertThat(Broadcast.shape(Shape.of(-1), Shape.of(1))).isEqualTo(Shape.of(-1));
    assertThat(Broadcast.shape(Shape.of(-1), Shape.of(0))).isEqualTo(Shape.of(-1));
    assertThat(Broadcast.shape(Shape.of(-1), Shape.of(-1))).isEqualTo(Shape.of(-1));
    assertThat(Broadcast.shape(Shape.of(-1), Shape.of(7, 4))).isEqualTo(Shape.of(7, 4));
  }

  @Test
  void shape_differentSizes_namesBothShapes() {
    assertThatThrownBy(() -> Broadcast.shape(Shape.of(2, 3), Shape.of(4)))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessage("Incompatible shapes: [2,3] vs. [4]");
    assertThatThrownBy(() -> Broadcast.shape(Shape.of(0), Shape.of(2)))
        .hasMessage("Incompatible shapes: [0] vs. [2]");
  }

  @Test
  void of_adjacentDimensions_areMerged() {
    assertThat(Broadcast.of(Shape.of(2, 3, 4), Shape.of(2, 3, 4)).sizes()).containsExactly(24);
    assertThat(Broadcast.of(Shape.of(2, 3, 4), Shape.scalar()).sizes()).containsExactly(24);
    assertThat(Broadcast.of(Shape.of(2, 3, 4), Shape.of(3, 4)).sizes()).containsExactly(2, 12);
    Broadcast columns = Broadcast.of(Shape.of(2, 3, 4, 5), Shape.of(2, 3, 1, 1));
    assertThat(columns.sizes()).containsExactly(6, 20);
    assertThat(columns.strides(0)).containsExactly(20, 1);
    assertThat(columns.strides(1)).containsExactly(1, 0);
  }

  @Test
  void reductionAxes_asBroadcastGradientArgs() {
    assertAxes(Shape.of(2, 1), Shape.of(2, 1), new int[0], new int[0]);
    assertAxes(Shape.of(2, 1), Shape.of(1, 1), new int[] {1}, new int[] {0, 1});
    assertAxes(Shape.of(2, 3), Shape.of(3), new int[0], new int[] {0});
    assertAxes(Shape.scalar(), Shape.of(2), new int[] {0}, new int[0]);
    assertAxes(Shape.of(1, 1), Shape.scalar(), new int[] {0, 1}, new int[] {0, 1});
    assertAxes(Shape.of(1, 3, 1), Shape.of(5, 3, 1), new int[] {0, 2}, new int[] {2});
    assertAxes(Shape.of(0, 1), Shape.of(1), new int[] {1}, new int[] {0, 1});
  }

  private static void assertAxes(Shape left, Shape right, int[] leftAxes, int[] rightAxes) {
    Broadcast.ReductionAxes axes = Broadcast.reductionAxes(left, right);
    assertThat(axes.left()).containsExactly(leftAxes);
    assertThat(axes.right()).containsExactly(rightAxes);
  }
}
