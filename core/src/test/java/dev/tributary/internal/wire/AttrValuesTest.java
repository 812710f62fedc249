package dev.tributary.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.TensorProto;

@NoLeaks
class AttrValuesTest {
  static List<AttrValue> values() {
    AttrValue.Function function =
        new AttrValue.Function(
            "f", Map.of("a", AttrValue.of(1), "g", new AttrValue.Function("g", Map.of())));
    return List.of(
        AttrValue.of("text"),
        new AttrValue.Bytes(new byte[] {0, -1}),
        AttrValue.of(-5L),
        AttrValue.of(1.5f),
        AttrValue.of(true),
        AttrValue.of(false),
        AttrValue.of(DataType.HALF),
        new AttrValue.Type(DataType.FLOAT, true),
        AttrValue.of(Shape.unknown()),
        AttrValue.of(Shape.of(-1, 3)),
        AttrValue.of(Shape.scalar()),
        function,
        new AttrValue.Placeholder("T"),
        AttrValue.ofInts(),
        AttrValue.ofInts(1, 2),
        AttrValue.ofStrings(List.of("a", "")),
        AttrValue.ofTypes(List.of(DataType.FLOAT, DataType.RESOURCE)),
        AttrValue.ofShapes(List.of(Shape.unknown(), Shape.of(2))),
        AttrValue.ofObject(List.of(true, false)),
        AttrValue.ofObject(List.of(0.5f)),
        new AttrValue.ListValue(List.of(function)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void toAttrValue_ofItsMessage_isTheSame(AttrValue value) {
    assertThat(AttrValues.toAttrValue(AttrValues.toProto(value))).isEqualTo(value);
  }

  @Test
  void toAttrValue_tensor_isANewTensor() {
    try (Tensor tensor = Tensor.of(1, 2, 3)) {
      AttrValue read = AttrValues.toAttrValue(AttrValues.toProto(AttrValue.of(tensor)));

      assertThat(((AttrValue.TensorValue) read).value().toInts()).containsExactly(1, 2, 3);
      AttrValues.release(read);
    }
  }

  @Test
  void toAttrValue_noValue_isRefused() {
    assertRefused(proto(), "missing");
  }

  @Test
  void toAttrValue_unknownType_isRefused() {
    assertRefused(proto().setTypeValue(99), "99");
    assertRefused(proto().setTypeValue(0), "0");
  }

  @Test
  void toAttrValue_listOfTwoKinds_isRefused() {
    var mixed = proto();
    mixed.getListBuilder().addI(1).addB(true);

    assertRefused(mixed, "several kinds");
  }

  @Test
  void toAttrValue_brokenTensorAfterAGoodOne_leavesNoneBehind() {
    TensorProto good;
    try (Tensor tensor = Tensor.of(1, 2, 3)) {
      good = TensorProtos.toProto(tensor);
    }
    var tensors = proto();
    tensors.getListBuilder().addTensor(good).addTensor(TensorProto.getDefaultInstance());

    assertRefused(tensors, "0");
  }

  @Test
  void toAttrValue_functionsNestedTooDeep_isRefused() {
    var value = proto().setB(true).build();
    for (int i = 0; i < 5_000; i++) {
      value = proto().setFunc(NameAttrList.newBuilder().setName("f").putAttr("a", value)).build();
    }

    assertRefused(value.toBuilder(), "deep");
  }

  private static org.tensorflow.proto.AttrValue.Builder proto() {
    return org.tensorflow.proto.AttrValue.newBuilder();
  }

  private static void assertRefused(org.tensorflow.proto.AttrValue.Builder proto, String part) {
    var built = proto.build();
    assertThatThrownBy(() -> AttrValues.toAttrValue(built))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining(part);
  }
}
