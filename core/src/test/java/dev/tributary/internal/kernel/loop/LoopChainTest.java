package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopChainTest {
  private static final BinaryLoop ADD = BinaryLoop.of().floats((x, y) -> x + y);
  private static final BinaryLoop SUB = BinaryLoop.of().floats((x, y) -> x - y);
  private static final UnaryLoop DOUBLE = UnaryLoop.of().floats(x -> 2 * x);
  private static final UnaryLoop LOGISTIC = UnaryLoop.of().floats(FloatSigmoid.LOGISTIC);

  /** Of x, y and z: x + y, its logistic function, that minus z, twice that, and the sum of two. */
  private static final LoopChain CHAIN =
      new LoopChain(
          3,
          List.of(
              new LoopChain.Link(ADD, 0, 1),
              new LoopChain.Link(LOGISTIC, 3, 3),
              new LoopChain.Link(SUB, 4, 2),
              new LoopChain.Link(DOUBLE, 5, 5),
              new LoopChain.Link(ADD, 6, 4)),
          3,
          7);

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 63, 65, 512, 513, 1501})
  void run_anyLength_equalsLoopByLoop(int length) {
    requireSame(Shape.of(3, length), Shape.of(3, length), Shape.of(3, length));
    requireSame(Shape.of(length), Shape.scalar(), Shape.of(1));
    requireSame(Shape.of(7, length), Shape.of(length), Shape.of(7, 1));
    requireSame(Shape.of(2, 3, length), Shape.of(3, 1), Shape.of(2, 1, length));
  }

  @Test
  void run_inPieces_equalsTheWhole() {
    Shape shape = Shape.of(5, 700);
    Broadcast walk = Broadcast.of(shape, shape, shape);
    try (Tensor x = Elements.small(DataType.FLOAT, shape, 20, 1);
        Tensor whole = Tensor.zeros(DataType.FLOAT, shape);
        Tensor parts = Tensor.zeros(DataType.FLOAT, shape);
        Tensor sums = Tensor.zeros(DataType.FLOAT, shape)) {
      long[] in = {address(x), address(x), address(x)};
      long pieces = LoopChain.pieces(walk);
      CHAIN.run(walk, in, new long[] {address(sums), address(whole)}, 0, pieces);
      long[] out = {address(sums), address(parts)};
      CHAIN.run(walk, in, out, 2, pieces);
      CHAIN.run(walk, in, out, 0, 2);

      assertThat(pieces).isGreaterThan(3);
      assertThat(parts.toFloats()).isEqualTo(whole.toFloats());
    }
  }

  @Test
  void mayReplace_operandFetchedLater_isFalse() {
    assertThat(CHAIN.mayReplace(0, 0)).isTrue();
    assertThat(CHAIN.mayReplace(2, 0)).isFalse();
    assertThat(CHAIN.mayReplace(2, 1)).isTrue();
  }

  private static void requireSame(Shape left, Shape right, Shape third) {
    Broadcast walk = Broadcast.of(left, right, third);
    Shape result = walk.result();
    try (Tensor x = Elements.small(DataType.FLOAT, left, 20, 1);
        Tensor y = Elements.small(DataType.FLOAT, right, 20, 2);
        Tensor z = Elements.small(DataType.FLOAT, third, 20, 3);
        Tensor sums = Tensor.zeros(DataType.FLOAT, result);
        Tensor last = Tensor.zeros(DataType.FLOAT, result);
        Tensor wantedSums = Tensor.zeros(DataType.FLOAT, result);
        Tensor wanted = Tensor.zeros(DataType.FLOAT, result);
        Tensor logistic = Tensor.zeros(DataType.FLOAT, result)) {
      long[] in = {address(x), address(y), address(z)};
      long[] out = {address(sums), address(last)};
      CHAIN.run(walk, in, out, 0, LoopChain.pieces(walk));

      run(ADD, x, y, wantedSums);
      LOGISTIC.run(DataType.FLOAT, address(wantedSums), address(logistic), result.elementCount());
      run(SUB, logistic, z, wanted);
      DOUBLE.run(DataType.FLOAT, address(wanted), address(wanted), result.elementCount());
      run(ADD, wanted, logistic, wanted);
      assertThat(sums.toFloats()).isEqualTo(wantedSums.toFloats());
      assertThat(last.toFloats()).isEqualTo(wanted.toFloats());
    }
  }

  private static void run(BinaryLoop loop, Tensor left, Tensor right, Tensor out) {
    Broadcast walk = Broadcast.of(left.shape(), right.shape());
    loop.run(DataType.FLOAT, address(left), address(right), address(out), walk);
  }

  private static long address(Tensor tensor) {
    return tensor.storage().address();
  }
}
