package dev.tributary.internal.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.PooledAllocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedTensorsTest {
  private final PooledAllocator allocator = new PooledAllocator(0, false);

  @AfterEach
  void requireNothingLeft() {
    assertThat(allocator.stats().liveBuffers()).isZero();
  }

  @Test
  void retain_severalAtOnce_needsAsManyCloses() {
    Tensor shared = SharedTensors.allocate(allocator, DataType.FLOAT, Shape.of(4));
    SharedTensors.retain(shared, 2);
    assertThat(shared.retain()).isSameAs(shared);
    for (int i = 0; i < 3; i++) {
      assertThat(shared.isExclusive()).isFalse();
      shared.close();
    }
    assertThat(shared.isExclusive()).isTrue();
    shared.close();

    requireCode(ErrorCode.INTERNAL, () -> SharedTensors.retain(shared, 1), "Tensor<float [4]>");
    requireCode(ErrorCode.INTERNAL, shared::close, "released more often than retained");
  }

  @Test
  void share_ownersTensorIsClosed_keepsTheElements() {
    Tensor owned = Tensor.zeros(allocator, DataType.FLOAT, Shape.of(2));
    Tensor shared = SharedTensors.share(owned);
    owned.close();
    owned.close();
    assertThat(shared.toFloats()).containsExactly(0, 0);
    shared.close();

    requireCode(
        ErrorCode.FAILED_PRECONDITION, () -> SharedTensors.share(owned), "Tensor<float [2]>");
  }

  @Test
  void take_oldHolderCloses_isHarmless() {
    Tensor owned = Tensor.zeros(allocator, DataType.FLOAT, Shape.of(2));
    Tensor shared = SharedTensors.take(owned);
    owned.close();
    assertThat(shared.isExclusive()).isTrue();
    shared.close();

    requireCode(
        ErrorCode.FAILED_PRECONDITION, () -> SharedTensors.take(owned), "Tensor<float [2]>");
  }

  @Test
  void handOut_usedAfterClose_namesTheOrigin() {
    Tensor shared = SharedTensors.allocate(allocator, DataType.FLOAT, Shape.of(2));
    Tensor given = SharedTensors.handOut(shared, "w:0");
    given.close();
    given.close();

    requireCode(
        ErrorCode.FAILED_PRECONDITION,
        given::toFloats,
        "Tensor<float [2]> of w:0 was used after it was closed");
  }

  @Test
  void lend_readersClose_livesUntilTheEndOfTheLoan() {
    Tensor owned = Tensor.zeros(allocator, DataType.FLOAT, Shape.of(2));
    Tensor lent = SharedTensors.lend(owned, "Const 'c'");
    owned.close();
    lent.close();
    lent.close();
    try (Tensor column = lent.reshape(Shape.of(2, 1))) {
      assertThat(column.sharesStorageWith(lent)).isTrue();
    }
    SharedTensors.take(lent).close();
    assertThat(lent.toFloats()).containsExactly(0, 0);
    SharedTensors.endLoan(lent);
    SharedTensors.endLoan(lent);

    requireCode(
        ErrorCode.FAILED_PRECONDITION,
        lent::toFloats,
        "of Const 'c' was used after it was closed",
        "Close a graph after the last session that runs it");
  }

  private static void requireCode(ErrorCode code, ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TributaryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }
}
