package dev.tributary.internal.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpecReaderTest {
  private static final List<AttrDef> ATTRIBUTES =
      List.of(
          SpecReader.attribute("T: type"),
          SpecReader.attribute("N: int"),
          SpecReader.attribute("Tlist: list(type)"));

  @Test
  void argument_everyForm_isRead() {
    assertThat(argument("a: float").type()).contains(DataType.FLOAT);
    assertThat(argument("a: T").typeAttr()).contains("T");
    assertThat(argument("a: N * T").numberAttr()).contains("N");
    assertThat(argument("a: N * T").typeAttr()).contains("T");
    assertThat(argument("a: N * string").type()).contains(DataType.STRING);
    assertThat(argument("a: Tlist").typeListAttr()).contains("Tlist");
    assertThat(argument("a: Ref(T)").isRef()).isTrue();
    assertThat(argument("a: Ref(T)").typeAttr()).contains("T");
    assertThat(argument("a: Ref(string)").type()).contains(DataType.STRING);
    assertThat(argument("a: N * Ref(T)").isRef()).isTrue();
  }

  @Test
  void attribute_defaults_areRead() {
    assertThat(defaultOf("a: int = -3")).contains(AttrValue.of(-3));
    assertThat(defaultOf("a: float = 1e-04")).contains(AttrValue.of(1e-4f));
    assertThat(defaultOf("a: bool = true")).contains(AttrValue.of(true));
    assertThat(defaultOf("a: string = ''")).contains(AttrValue.of(""));
    assertThat(defaultOf("a: type = int64")).contains(AttrValue.of(DataType.INT64));
    assertThat(defaultOf("a: list(int) = []")).contains(AttrValue.ofInts());
    assertThat(defaultOf("a: list(int) = [1, 1, 1, 1]")).contains(AttrValue.ofInts(1, 1, 1, 1));
    assertThat(defaultOf("a: shape = { unknown_rank: true }"))
        .contains(AttrValue.of(Shape.unknown()));
    assertThat(defaultOf("a: int")).isEmpty();
  }

  @Test
  void attribute_choices_areRead() {
    AttrDef type = SpecReader.attribute("T: {float, double} = float");
    AttrDef text = SpecReader.attribute("f: {'NHWC', 'NCHW'} = 'NHWC'");

    assertThat(type.type()).isEqualTo("type");
    assertThat(type.allowed())
        .containsExactly(AttrValue.of(DataType.FLOAT), AttrValue.of(DataType.DOUBLE));
    assertThat(text.type()).isEqualTo("string");
    assertThat(text.allowed()).containsExactly(AttrValue.of("NHWC"), AttrValue.of("NCHW"));
    assertThat(SpecReader.attribute("T: list({float, int32}) >= 1").type()).isEqualTo("list(type)");
  }

  @Test
  void attribute_minimum_isRead() {
    assertThat(SpecReader.attribute("N: int >= 2 = 3").minimum()).contains(2L);
    assertThat(SpecReader.attribute("N: list(int) >= 0").minimum()).contains(0L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "N int",
        "N: int = 1 more",
        "T: {float",
        "s: string = 'a",
        "l: list(int",
        "f: func = f"
      })
  void attribute_malformed_isRefused(String spec) {
    assertThatThrownBy(() -> SpecReader.attribute(spec))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining(spec);
  }

  private static ArgDef argument(String spec) {
    return SpecReader.argument(spec, ATTRIBUTES);
  }

  private static Optional<AttrValue> defaultOf(String spec) {
    return SpecReader.attribute(spec).defaultValue();
  }
}
