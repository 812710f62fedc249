package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import org.junit.jupiter.api.Test;

class ReductionShapeTest {
  @Test
  void result_axes_goOrBecomeOne() {
    Shape shape = Shape.of(2, 3, 4);
    assertThat(ReductionShape.of(shape, new long[] {-1, 0}, false).result()).isEqualTo(Shape.of(3));
    assertThat(ReductionShape.of(shape, new long[] {-1, 0}, true).result())
        .isEqualTo(Shape.of(1, 3, 1));
    assertThat(ReductionShape.of(shape, new long[0], false).result()).isEqualTo(shape);
    assertThat(ReductionShape.result(Shape.of(-1, 3), new long[] {1}, true))
        .isEqualTo(Shape.of(-1, 1));
  }

  @Test
  void sizes_ofOneKind_areMerged() {
    ReductionShape reduction =
        ReductionShape.of(Shape.of(2, 3, 1, 4, 5, 6), new long[] {0, 1, 5}, false);
    assertThat(reduction.sizes()).containsExactly(6, 20, 6);
    assertThat(reduction.isReduced(0)).isTrue();
    assertThat(reduction.isReduced(1)).isFalse();
    assertThat(reduction.isReduced(2)).isTrue();
    assertThat(reduction.reducedCount()).isEqualTo(36);
  }

  @Test
  void of_badAxes_fails() {
    assertThatThrownBy(() -> ReductionShape.of(Shape.of(2), new long[] {1}, false))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("Invalid reduction dimension (1 for input with 1 dimension(s)");
    assertThatThrownBy(() -> ReductionShape.of(Shape.of(2), new long[] {0, -1}, false))
        .hasMessageContaining("Axes contains duplicate dimension: 0");
  }
}
