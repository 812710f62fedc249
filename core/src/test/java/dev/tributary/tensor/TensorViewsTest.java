package dev.tributary.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.internal.memory.Memory;
import dev.tributary.testing.NoLeaks;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.tensorflow.ndarray.FloatNdArray;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.ndarray.StdArrays;
import org.tensorflow.ndarray.index.Indices;

@NoLeaks
class TensorViewsTest {
  @Test
  void view_everyType_readsTheElements() {
    try (Tensor floats = Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f);
        Tensor doubles = Tensor.of(Shape.of(1, 2), 1.5, 2.5);
        Tensor ints = Tensor.of(7, -8);
        Tensor longs = Tensor.scalar(9L);
        Tensor shorts = Tensor.of(DataType.INT16, Shape.of(2), (short) 1, (short) -2);
        Tensor bytes = Tensor.of(DataType.UINT8, Shape.of(2), new byte[] {1, -1});
        Tensor booleans = Tensor.of(false, true);
        Tensor strings = Tensor.of(Shape.of(1, 2), "a", "é")) {
      assertThat(TensorViews.floats(floats).getFloat(1, 0)).isEqualTo(3);
      assertThat(TensorViews.doubles(doubles).getDouble(0, 1)).isEqualTo(2.5);
      assertThat(TensorViews.ints(ints).getInt(1)).isEqualTo(-8);
      assertThat(TensorViews.longs(longs).getLong()).isEqualTo(9);
      assertThat(TensorViews.shorts(shorts).getShort(1)).isEqualTo((short) -2);
      assertThat(TensorViews.bytes(bytes).getByte(1)).isEqualTo((byte) -1);
      assertThat(TensorViews.booleans(booleans).getBoolean(1)).isTrue();
      assertThat(TensorViews.strings(strings).getObject(0, 1)).isEqualTo("é");
    }
  }

  @Test
  void floats_ofHalfTypes_areTheValues() {
    try (Tensor halves = Tensor.of(DataType.HALF, Shape.of(2), (short) 0x3c00, (short) 0xc100);
        Tensor brains = Tensor.of(DataType.BFLOAT16, Shape.of(2), (short) 0x3f80, (short) 0xc020)) {
      assertThat(TensorViews.floats(halves)).isEqualTo(NdArrays.vectorOf(1f, -2.5f));
      assertThat(TensorViews.floats(brains)).isEqualTo(NdArrays.vectorOf(1f, -2.5f));
    }
  }

  @Test
  void view_ofTheTensor_standsOnItsMemoryAndIsReadOnly() {
    try (Tensor tensor = Tensor.of(1f, 2f)) {
      FloatNdArray view = TensorViews.floats(tensor);
      Memory.putFloat(tensor.storage().address() + 4, 5f);

      assertThat(view.getFloat(1)).isEqualTo(5);
      assertThatThrownBy(() -> view.setFloat(1f, 0)).isInstanceOf(ReadOnlyBufferException.class);
    }
  }

  @Test
  void view_ofAnotherTypeOrAReleasedTensor_fails() {
    Tensor tensor = Tensor.of(1f);
    assertThatThrownBy(() -> TensorViews.ints(tensor))
        .hasMessage("a float tensor cannot be seen as [INT32]");
    tensor.close();
    assertThatThrownBy(() -> TensorViews.floats(tensor)).hasMessageContaining("used after");
  }

  @Test
  void copyOf_everyType_hasShapeAndElements() {
    try (Tensor floats = TensorViews.copyOf(StdArrays.ndCopyOf(new float[][] {{1, 2}, {3, 4}}));
        Tensor doubles = TensorViews.copyOf(NdArrays.vectorOf(1.5, 2.5));
        Tensor ints = TensorViews.copyOf(NdArrays.vectorOf(1, 2));
        Tensor longs = TensorViews.copyOf(NdArrays.scalarOf(3L));
        Tensor shorts = TensorViews.copyOf(NdArrays.vectorOf((short) 4));
        Tensor bytes = TensorViews.copyOf(NdArrays.vectorOf((byte) 5, (byte) -1));
        Tensor booleans = TensorViews.copyOf(NdArrays.vectorOf(true, false));
        Tensor strings = TensorViews.copyOfStrings(NdArrays.vectorOfObjects("x", "é"))) {
      assertThat(floats.shape()).isEqualTo(Shape.of(2, 2));
      assertThat(floats.toFloats()).containsExactly(1, 2, 3, 4);
      assertThat(doubles.toDoubles()).containsExactly(1.5, 2.5);
      assertThat(ints.toInts()).containsExactly(1, 2);
      assertThat(longs.longValue()).isEqualTo(3);
      assertThat(shorts.type()).isEqualTo(DataType.INT16);
      assertThat(shorts.toBytes()).containsExactly(4, 0);
      assertThat(bytes.type()).isEqualTo(DataType.UINT8);
      assertThat(bytes.toBytes()).containsExactly(5, 0xff);
      assertThat(booleans.toBooleans()).containsExactly(true, false);
      assertThat(strings.toStrings()).containsExactly("x", "é");
    }
  }

  @Test
  void copyOf_sliceWithSteps_takesItsElementsOnly() {
    FloatNdArray matrix = StdArrays.ndCopyOf(new float[][] {{1, 2, 3}, {4, 5, 6}});
    try (Tensor column = TensorViews.copyOf(matrix.slice(Indices.all(), Indices.at(1)));
        Tensor again = TensorViews.copyOf(TensorViews.floats(column))) {
      assertThat(column.toFloats()).containsExactly(2, 5);
      assertThat(again.toFloats()).containsExactly(2, 5);
    }
  }

  @Test
  void emptyTensor_viewAndCopy_areEmpty() {
    try (Tensor none = Tensor.zeros(DataType.FLOAT, Shape.of(0, 3))) {
      FloatNdArray view = TensorViews.floats(none);
      assertThat(view.shape()).isEqualTo(org.tensorflow.ndarray.Shape.of(0, 3));
    }
  }

  @Test
  void shapes_bothWays_areEqual() {
    for (Shape shape :
        new Shape[] {Shape.scalar(), Shape.of(2, 3), Shape.of(-1, 4), Shape.unknown()}) {
      assertThat(TensorViews.ofNdArray(TensorViews.toNdArray(shape))).isEqualTo(shape);
    }
  }
}
