package dev.tributary.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ShapeTest {
  @Test
  void of_givenArray_isNotChangedThroughIt() {
    long[] sizes = {2, 3};
    Shape shape = Shape.of(sizes);
    sizes[0] = 9;
    shape.toArray()[1] = 9;

    assertThat(shape).isEqualTo(Shape.of(2, 3)).hasSameHashCodeAs(Shape.of(2, 3));
  }

  @Test
  void of_sizeBelowMinusOne_isInvalid() {
    requireInvalid(() -> Shape.of(2, -2), "[2, -2]");
  }

  @Test
  void size_negativeIndex_countsFromTheEnd() {
    assertThat(Shape.of(2, 3, 4).size(-1)).isEqualTo(4);
    assertThat(Shape.of(2, 3, 4).size(0)).isEqualTo(2);
  }

  @Test
  void size_noSuchDimension_isOutOfRange() {
    assertThatThrownBy(() -> Shape.of(2, 3).size(-3)).hasMessage("shape [2,3] has no dimension -3");
    assertThatThrownBy(() -> Shape.scalar().size(0)).hasMessage("shape [] has no dimension 0");
  }

  @Test
  void unknownRank_asSizes_isInvalid() {
    requireInvalid(() -> Shape.unknown().size(0), "rank");
    requireInvalid(() -> Shape.unknown().toArray(), "rank");
    requireInvalid(() -> Shape.unknown().strides(), "rank");
    requireInvalid(() -> Shape.unknown().slice(0, 1), "rank");
    requireInvalid(() -> Shape.unknown().withSize(0, 1), "rank");
  }

  @Test
  void elementCount_ofEveryKind_isKnownOrMinusOne() {
    assertThat(Shape.scalar().elementCount()).isEqualTo(1);
    assertThat(Shape.of(2, 3, 4).elementCount()).isEqualTo(24);
    assertThat(Shape.of(2, 0, 4).elementCount()).isZero();
    assertThat(Shape.of(2, -1).elementCount()).isEqualTo(-1);
    assertThat(Shape.unknown().elementCount()).isEqualTo(-1);
    assertThat(Shape.of(1L << 31, (1L << 32) - 1).elementCount())
        .isEqualTo((1L << 31) * ((1L << 32) - 1));
  }

  @Test
  void elementCount_past63Bits_isInvalid() {
    requireInvalid(() -> Shape.of(1L << 31, 1L << 32).elementCount(), "[2147483648,4294967296]");
    requireInvalid(() -> Shape.of(1L << 32, 1L << 32, 3).elementCount(), "2^63");
    requireInvalid(() -> Shape.of(Long.MAX_VALUE, Long.MAX_VALUE).elementCount(), "2^63");
  }

  @Test
  void strides_rowMajor_stepOverInnerSizes() {
    assertThat(Shape.of(2, 3, 4).strides()).containsExactly(12, 4, 1);
    assertThat(Shape.scalar().strides()).isEmpty();
  }

  @Test
  void merge_knownWithUnknown_takesWhatIsKnown() {
    assertThat(Shape.of(2, -1).merge(Shape.of(-1, 3))).isEqualTo(Shape.of(2, 3));
    assertThat(Shape.unknown().merge(Shape.of(-1))).isEqualTo(Shape.of(-1));
    assertThat(Shape.of(5).merge(Shape.unknown())).isEqualTo(Shape.of(5));
  }

  @Test
  void merge_differentSizesOrRanks_isInvalid() {
    requireInvalid(() -> Shape.of(2).merge(Shape.of(3)), "[2] and [3]");
    requireInvalid(() -> Shape.of(2).merge(Shape.of(2, 1)), "[2] and [2,1]");
  }

  @Test
  void concatenateSliceAndWithSize_makeNewShapes() {
    assertThat(Shape.of(2).concatenate(Shape.of(3, -1))).isEqualTo(Shape.of(2, 3, -1));
    assertThat(Shape.of(2).concatenate(Shape.unknown())).isEqualTo(Shape.unknown());
    assertThat(Shape.of(2, 3, 4).slice(1, 3)).isEqualTo(Shape.of(3, 4));
    assertThat(Shape.of(2, 3).slice(1, 1)).isSameAs(Shape.scalar());
    assertThat(Shape.of(2, 3).withSize(0, 7)).isEqualTo(Shape.of(7, 3));
    requireInvalid(() -> Shape.of(2, 3).withSize(0, -5), "-5");
  }

  @Test
  void toString_everyKind_isTensorFlowsNotation() {
    assertThat(Shape.of(2, -1, 3)).hasToString("[2,?,3]");
    assertThat(Shape.scalar()).hasToString("[]");
    assertThat(Shape.unknown()).hasToString("<unknown>");
    assertThat(Shape.ofRank(2)).hasToString("[?,?]");
  }

  private static void requireInvalid(ThrowingCallable call, String part) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining(part);
  }
}
