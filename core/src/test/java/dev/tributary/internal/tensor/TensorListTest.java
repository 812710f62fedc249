package dev.tributary.internal.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import org.junit.jupiter.api.Test;

@NoLeaks
class TensorListTest {
  @Test
  void copy_changed_leavesTheOtherListAndSharesElements() {
    TensorList list = list(DataType.FLOAT);
    list.push(Tensor.scalar(1f));
    list.push(Tensor.scalar(2f));

    TensorList copy = list.copy();
    copy.set(0, Tensor.scalar(3f));
    copy.push(Tensor.scalar(4f));

    assertThat(list.size()).isEqualTo(2);
    assertThat(list.get(0).floatValue()).isEqualTo(1);
    assertThat(copy.get(1)).isSameAs(list.get(1));
    list.release();
    assertThat(copy.get(1).floatValue()).isEqualTo(2);
    copy.release();
  }

  @Test
  void resize_shorterAndLonger_givesBackWhatIsCutOff() {
    TensorList list = list(DataType.FLOAT);
    Tensor kept = SharedTensors.take(Tensor.scalar(2f));
    list.push(Tensor.scalar(1f));
    list.push(kept.retain());

    list.resize(1);
    assertThat(kept.isExclusive()).isTrue();
    list.resize(3);

    assertThat(list.isSet(0)).isTrue();
    assertThat(list.isSet(1)).isFalse();
    assertThat(list.isSet(2)).isFalse();
    list.release();
    kept.close();
  }

  @Test
  void resize_manyElements_takesNoMemoryUntilTheyAreSet() {
    TensorList list = list(DataType.FLOAT);
    list.resize(50_000_000);
    list.set(3, Tensor.scalar(1f));

    assertThat(list.isSet(3)).isTrue();
    assertThat(list.isSet(49_999_999)).isFalse();
    assertThatThrownBy(() -> list.resize(Integer.MAX_VALUE))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED))
        .hasMessageContaining("2147483647 elements");
    list.release();
  }

  @Test
  void tensor_closed_givesBackTheElementsOfItsLists() {
    TensorList list = list(DataType.FLOAT);
    Tensor element = SharedTensors.take(Tensor.scalar(1f));
    list.push(element.retain());
    Tensor first = variant(list);
    Tensor second = Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), Variant.share(list));

    first.close();
    assertThat(element.isExclusive()).isFalse();
    second.close();

    assertThat(element.isExclusive()).isTrue();
    element.close();
  }

  @Test
  void lists_inListsWithoutEnd_areRefused() {
    TensorList list = list(DataType.VARIANT);
    for (int i = 1; i < Variant.MOST_LEVELS; i++) {
      TensorList outer = list(DataType.VARIANT);
      outer.push(variant(list));
      list = outer;
    }
    TensorList last = list(DataType.VARIANT);
    try (Tensor deepest = variant(list)) {
      assertThatThrownBy(() -> last.push(deepest)).hasMessageContaining("at most 64 levels");
      assertThatThrownBy(() -> OptionalTensors.of(List.of(deepest)))
          .hasMessageContaining("at most 64 levels");
    }
    last.release();
  }

  private static TensorList list(DataType type) {
    return new TensorList(type, Shape.unknown(), TensorList.UNLIMITED);
  }

  private static Tensor variant(TensorList list) {
    return Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), list);
  }
}
