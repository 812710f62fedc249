package dev.tributary.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.proto.TensorShapeProto;

class ShapeProtosTest {
  @Test
  void toProto_everyKind_comesBackEqual() {
    for (Shape shape :
        new Shape[] {Shape.scalar(), Shape.of(2, 0, 3), Shape.of(-1, 4), Shape.unknown()}) {
      assertThat(ShapeProtos.toShape(ShapeProtos.toProto(shape))).isEqualTo(shape);
    }
  }

  @Test
  void toProto_twoSizes_hasTheseBytes() {
    assertThat(HexFormat.of().formatHex(ShapeProtos.toProto(Shape.of(2, 300)).toByteArray()))
        .isEqualTo("12020802120308ac02");
    assertThat(HexFormat.of().formatHex(ShapeProtos.toProto(Shape.unknown()).toByteArray()))
        .isEqualTo("1801");
  }

  @Test
  void toShape_malformed_isInvalid() {
    requireInvalid(sizes(2, -2), "-1 (unknown) or more");
    requireInvalid(sizes(new long[255]), "at most 254 dimensions, got 255");
    requireInvalid(sizes(2).toBuilder().setUnknownRank(true).build(), "unknown rank has 1 sizes");
  }

  @ParameterizedTest
  @EnumSource
  void types_bothWays_areEqual(DataType type) {
    assertThat(TypeProtos.toType(TypeProtos.toProto(type).getNumber())).isSameAs(type);
    assertThat(TypeProtos.toProto(type).name()).isEqualTo("DT_" + type.name());
    assertThat(TypeProtos.toReferenceProto(type).name()).isEqualTo("DT_" + type.name() + "_REF");
    assertThat(TypeProtos.toType(TypeProtos.toReferenceProto(type).getNumber())).isSameAs(type);
    assertThat(TypeProtos.isReference(TypeProtos.toReferenceProto(type).getNumber())).isTrue();
    assertThat(TypeProtos.isReference(TypeProtos.toProto(type).getNumber())).isFalse();
  }

  static TensorShapeProto sizes(long... sizes) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (long size : sizes) {
      shape.addDimBuilder().setSize(size);
    }
    return shape.build();
  }

  private static void requireInvalid(TensorShapeProto proto, String part) {
    assertThatThrownBy(() -> ShapeProtos.toShape(proto))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining(part);
  }
}
