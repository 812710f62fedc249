package dev.tributary.internal.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import org.junit.jupiter.api.Test;

@NoLeaks
class TensorArrayTest {
  private static final Allocator MEMORY = Allocator.shared();

  @Test
  void write_secondTime_isRefused() {
    try (TensorArray array = array(2, false, true)) {
      write(array, 0, 1f);

      assertThatThrownBy(() -> write(array, 0, 2f)).hasMessageContaining("already been written to");
    }
  }

  @Test
  void write_pastTheEnd_growsADynamicArrayOnly() {
    try (TensorArray fixed = array(2, false, true);
        TensorArray dynamic = array(2, true, true)) {
      assertThatThrownBy(() -> write(fixed, 2, 1f))
          .hasMessageContaining("array is not resizeable and size is: 2");
      write(dynamic, 4, 1f);

      assertThat(dynamic.size()).isEqualTo(5);
    }
  }

  @Test
  void write_atTheLastIndexOfAll_isTheCallersFault() {
    try (TensorArray fixed = array(2, false, true);
        TensorArray dynamic = array(2, true, true)) {
      assertThatThrownBy(() -> write(fixed, Integer.MAX_VALUE, 1f))
          .hasMessageContaining("index 2147483647 but array is not resizeable and size is: 2");
      assertThatThrownBy(() -> write(dynamic, Integer.MAX_VALUE, 1f))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED))
          .hasMessageContaining("2147483647 elements");
      assertThat(dynamic.size()).isEqualTo(2);
    }
  }

  @Test
  void size_ofMoreElementsThanThereCanBe_isRefusedAtOnce() {
    assertThatThrownBy(() -> array(Integer.MAX_VALUE, false, true))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED))
        .hasMessageContaining("2147483647 elements");
  }

  @Test
  void size_ofManyElements_takesNoMemoryUntilTheyAreWritten() {
    try (TensorArray large = array(50_000_000, false, true)) {
      assertThat(large.size()).isEqualTo(50_000_000);
      write(large, 3, 1f);
      assertThat(read(large, 3)).isEqualTo(1f);
    }
  }

  @Test
  void write_anotherTypeOrShape_isRefused() {
    try (TensorArray array = new TensorArray("a", options(Shape.of(2), false, true), 1);
        Tensor integers = Tensor.of(1, 2);
        Tensor scalar = Tensor.scalar(1f)) {
      assertThatThrownBy(() -> array.write(0, integers, MEMORY))
          .hasMessageContaining("dtype is float");
      assertThatThrownBy(() -> array.write(0, scalar, MEMORY)).hasMessageContaining("incompatible");
    }
  }

  @Test
  void read_twice_isRefusedIfReadingClears() {
    try (TensorArray clearing = array(1, false, true);
        TensorArray keeping = array(1, false, false)) {
      write(clearing, 0, 1f);
      write(keeping, 0, 1f);

      assertThat(read(clearing, 0)).isEqualTo(1f);
      assertThatThrownBy(() -> read(clearing, 0))
          .hasMessageContaining("cleared after a previous read");
      assertThat(read(keeping, 0)).isEqualTo(1f);
      assertThat(read(keeping, 0)).isEqualTo(1f);
      assertThatThrownBy(() -> write(keeping, 0, 2f)).hasMessageContaining("already been read");
    }
  }

  @Test
  void read_unwritten_isZerosIfTheShapeIsKnown() {
    try (TensorArray known = array(1, false, true);
        TensorArray unknown = new TensorArray("u", options(Shape.unknown(), false, true), 1)) {
      assertThat(read(known, 0)).isZero();
      assertThatThrownBy(() -> read(unknown, 0)).hasMessageContaining("not fully defined");
      assertThatThrownBy(() -> read(known, 1)).hasMessageContaining("array size is: 1");
    }
  }

  @Test
  void gradient_severalWrites_areAddedUp() {
    try (TensorArray array = array(2, true, true)) {
      write(array, 0, 5f);
      try (TensorArray gradient = array.gradient("g", MemoryBudget.UNLIMITED)) {
        write(gradient, 0, 1f);
        write(gradient, 0, 2f);
        write(gradient, 0, 4f);

        assertThat(read(gradient, 0)).isEqualTo(7f);
        assertThat(read(gradient, 1)).isZero();
        assertThatThrownBy(() -> write(array, 2, 1f)).hasMessageContaining("not resizeable");
        assertThatThrownBy(() -> gradient.gradient("gg", MemoryBudget.UNLIMITED))
            .hasMessageContaining("multiple writes");
      }
    }
  }

  @Test
  void use_afterClose_isRefused() {
    TensorArray array = array(1, false, true);
    array.close();

    assertThatThrownBy(array::size).hasMessageContaining("already been closed");
  }

  @Test
  void stack_popsInReverseOrder_andRefusesWhatItCannotDo() {
    try (TensorStack stack = new TensorStack("s", DataType.FLOAT, 2);
        Tensor one = Tensor.scalar(1f);
        Tensor two = Tensor.scalar(2f);
        Tensor integer = Tensor.scalar(3)) {
      stack.push(one, MemoryBudget.UNLIMITED);
      stack.push(two, MemoryBudget.UNLIMITED);

      assertThatThrownBy(() -> stack.push(one, MemoryBudget.UNLIMITED))
          .hasMessageContaining("overflowed its max_size (2)");
      assertThatThrownBy(() -> stack.push(integer, MemoryBudget.UNLIMITED))
          .hasMessageContaining("Must have type float");
      try (Tensor last = stack.pop();
          Tensor first = stack.pop()) {
        assertThat(last.floatValue()).isEqualTo(2f);
        assertThat(first.floatValue()).isEqualTo(1f);
      }
      assertThatThrownBy(stack::pop).hasMessageContaining("is empty");
    }
  }

  private static TensorArray array(int size, boolean dynamic, boolean clear) {
    return new TensorArray("a", options(Shape.scalar(), dynamic, clear), size);
  }

  private static TensorArrayOptions options(Shape shape, boolean dynamic, boolean clear) {
    return new TensorArrayOptions(DataType.FLOAT, shape, dynamic, clear, false, false);
  }

  private static void write(TensorArray array, int index, float value) {
    try (Tensor tensor = Tensor.scalar(value)) {
      array.write(index, tensor, MEMORY);
    }
  }

  private static float read(TensorArray array, int index) {
    try (Tensor value = array.read(index, MEMORY)) {
      return value.floatValue();
    }
  }
}
