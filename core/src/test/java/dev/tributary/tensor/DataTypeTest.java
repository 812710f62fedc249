package dev.tributary.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataTypeTest {
  @ParameterizedTest
  @EnumSource
  void ofNumber_itsOwnAndTheReferenceNumber_findsTheType(DataType type) {
    assertThat(DataType.ofNumber(type.number())).isSameAs(type);
    assertThat(DataType.ofNumber(type.number() + 100)).isSameAs(type);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 26, 31, 32, 100, 126, 132, Integer.MAX_VALUE})
  void ofNumber_unknown_isInvalid(int number) {
    assertThatThrownBy(() -> DataType.ofNumber(number))
        .isInstanceOf(TributaryException.class)
        .hasMessage("no element type has the number %d", number);
  }

  @ParameterizedTest
  @EnumSource
  void ofName_lowerName_findsTheType(DataType type) {
    assertThat(DataType.ofName(type.lowerName())).isSameAs(type);
  }

  @Test
  void ofName_unknown_listsTheTypes() {
    assertThatThrownBy(() -> DataType.ofName("float32"))
        .hasMessageContaining("'float32'")
        .hasMessageContaining("BFLOAT16");
  }

  @Test
  void size_ofElements_isTensorFlows() {
    assertThat(DataType.HALF.size()).isEqualTo(2);
    assertThat(DataType.BOOL.size()).isEqualTo(1);
    assertThat(DataType.COMPLEX128.size()).isEqualTo(16);
    assertThat(DataType.STRING.isObject()).isTrue();
    assertThat(DataType.COMPLEX64.isSupported()).isTrue();
    assertThat(DataType.COMPLEX64.isComplex()).isTrue();
    assertThat(DataType.DOUBLE.isComplex()).isFalse();
    assertThat(DataType.FLOAT8_E5M2.isSupported()).isFalse();
    assertThat(DataType.UINT64.isSupported()).isTrue();
    assertThat(DataType.QINT32.isQuantized()).isTrue();
    assertThat(DataType.UINT8.isQuantized()).isFalse();
  }
}
