package dev.tributary.internal.wire;

import static dev.tributary.internal.wire.ShapeProtosTest.sizes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.TextFormat;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.ResourceHandleProto;
import org.tensorflow.proto.TensorProto;

@NoLeaks
class TensorProtosTest {
  private static final String HUGE = "9223372036854775807";

  static Stream<DataType> supportedTypes() {
    return Arrays.stream(DataType.values()).filter(DataType::isSupported);
  }

  @ParameterizedTest
  @MethodSource("supportedTypes")
  void toProto_everyType_comesBackEqual(DataType type) {
    for (Shape shape : new Shape[] {Shape.scalar(), Shape.of(2, 3), Shape.of(0, 3)}) {
      try (Tensor tensor = counting(type, shape);
          Tensor constant = TensorProtos.toTensor(TensorProtos.toProto(tensor));
          Tensor content = TensorProtos.toTensor(TensorProtos.toContentProto(tensor))) {
        requireEqual(constant, tensor);
        requireEqual(content, tensor);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("supportedTypes")
  void toTensor_nothingButTypeAndShape_isZeros(DataType type) {
    TensorProto proto =
        TensorProto.newBuilder()
            .setDtype(TypeProtos.toProto(type))
            .setTensorShape(sizes(2))
            .build();

    try (Tensor tensor = TensorProtos.toTensor(proto)) {
      if (type.isObject()) {
        assertThat(tensor.objects()).containsExactly(new byte[0], new byte[0]);
      } else {
        assertThat(tensor.toBytes()).containsOnly(0).hasSize(2 * type.size());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FLOAT    | float_val: [1, 2]           | 0000803f 00000040 00000040 00000040",
        "DOUBLE   | double_val: 1               | 000000000000f03f 000000000000f03f"
            + " 000000000000f03f 000000000000f03f",
        "COMPLEX64 | scomplex_val: [1, 2, 0, -1, 5] | 0000803f00000040 00000000000080bf"
            + " 00000000000080bf 00000000000080bf",
        "COMPLEX128 | dcomplex_val: [1, -1]     | 000000000000f03f000000000000f0bf"
            + " 000000000000f03f000000000000f0bf 000000000000f03f000000000000f0bf"
            + " 000000000000f03f000000000000f0bf",
        "INT32    | int_val: [1, -2]            | 01000000 feffffff feffffff feffffff",
        "INT16    | int_val: [1, -2]            | 0100 feff feff feff",
        "INT8     | int_val: [1, -2, 3]         | 01 fe 03 03",
        "UINT8    | int_val: [1, 255]           | 01 ff ff ff",
        "UINT16   | int_val: [1, 65535]         | 0100 ffff ffff ffff",
        "QINT8    | int_val: [1, -2]            | 01 fe fe fe",
        "QUINT8   | int_val: [1, 255]           | 01 ff ff ff",
        "QINT16   | int_val: [1, -2]            | 0100 feff feff feff",
        "QUINT16  | int_val: [1, 65535]         | 0100 ffff ffff ffff",
        "QINT32   | int_val: [1, -2]            | 01000000 feffffff feffffff feffffff",
        "UINT32   | uint32_val: [1, 4294967295] | 01000000 ffffffff ffffffff ffffffff",
        "UINT64   | uint64_val: 18446744073709551615 | ffffffffffffffff ffffffffffffffff"
            + " ffffffffffffffff ffffffffffffffff",
        "INT64    | int64_val: [1, -1, 2, 3, 4] | 0100000000000000 ffffffffffffffff"
            + " 0200000000000000 0300000000000000",
        "BOOL     | bool_val: [false, true]     | 00 01 01 01",
        "HALF     | half_val: [15360, 0]        | 003c 0000 0000 0000",
        "BFLOAT16 | half_val: [0, 16256]        | 0000 803f 803f 803f",
      })
  void toTensor_listOfValues_isCutOrRepeatsItsLast(DataType type, String values, String wanted) {
    try (Tensor tensor =
        decode("dtype: DT_" + type + " tensor_shape { dim { size: 4 } } " + values)) {
      assertThat(HexFormat.of().formatHex(tensor.toBytes())).isEqualTo(packed(wanted));
    }
  }

  @Test
  void toProto_vector_hasTheseBytes() {
    requireBytes(Tensor.of(1f, 2f), "0801 1204 12020802 2208 0000803f00000040");
    requireBytes(Tensor.scalar(1f), "0801 1200 2204 0000803f");
    requireBytes(Tensor.of(true, false), "080a 1204 12020802 2202 0100");
    requireBytes(
        Tensor.of(Shape.of(1, 1), -1L), "0809 1208 12020801 12020801 2208 ffffffffffffffff");
    requireBytes(Tensor.of(Shape.of(0), new int[0]), "0803 1202 1200");
  }

  @Test
  void toProto_strings_areInTheListOrInTheContent() {
    requireBytes(Tensor.of("ab", "", "cde"), "0807 1204 12020803 4202 6162 4200 4203 636465");
    try (Tensor strings = Tensor.of("ab", "", "cde")) {
      assertThat(hex(TensorProtos.toContentProto(strings)))
          .isEqualTo(packed("0807 1204 12020803 2208 0200036162636465"));
    }
  }

  @Test
  void toTensor_stringsInEitherForm_areRead() throws Exception {
    for (String bytes :
        new String[] {
          "0807 1204 12020803 4202 6162 4200 4203 636465",
          "0807 1204 12020803 2208 0200036162636465",
        }) {
      try (Tensor strings =
          TensorProtos.toTensor(TensorProto.parseFrom(HexFormat.of().parseHex(packed(bytes))))) {
        assertThat(strings.toStrings()).containsExactly("ab", "", "cde");
      }
    }
  }

  @Test
  void toTensor_shortStringList_repeatsTheLast() {
    try (Tensor strings =
        decode("dtype: DT_STRING tensor_shape { dim { size: 4 } } string_val: ['a', 'b']")) {
      assertThat(strings.toStrings()).containsExactly("a", "b", "b", "b");
    }
  }

  @Test
  void toTensor_longStringInContent_hasALengthOfTwoBytes() {
    String text = "x".repeat(300);
    try (Tensor strings = Tensor.of(text, "y");
        Tensor back = TensorProtos.toTensor(TensorProtos.toContentProto(strings))) {
      assertThat(back.toStrings()).containsExactly(text, "y");
    }
  }

  @Test
  void toTensor_contentAndList_contentWins() {
    try (Tensor tensor =
        decode("dtype: DT_INT32 tensor_content: '\\001\\000\\000\\000' int_val: 5")) {
      assertThat(tensor.intValue()).isEqualTo(1);
    }
  }

  @Test
  void toTensor_resourceHandles_keepTheirBytesAndDoNotRepeat() throws Exception {
    try (Tensor handles =
            decode(
                "dtype: DT_RESOURCE tensor_shape { dim { size: 2 } } resource_handle_val { name:"
                    + " 'v' }");
        Tensor again = TensorProtos.toTensor(TensorProtos.toContentProto(handles))) {
      assertThat(ResourceHandleProto.parseFrom((byte[]) handles.objects()[0]).getName())
          .isEqualTo("v");
      assertThat(handles.objects()[1]).isEqualTo(new byte[0]);
      requireEqual(again, handles);
    }
  }

  @Test
  void toProto_resourceOfThisProcess_isUnimplemented() {
    try (Tensor resource = Tensor.ofObjects(DataType.RESOURCE, Shape.scalar(), new Object())) {
      requireCode(
          ErrorCode.UNIMPLEMENTED, () -> TensorProtos.toProto(resource), "no form in messages");
    }
  }

  @Test
  void messageSize_pastTwoGibibytes_isInvalid() {
    assertThat(TensorProtos.messageSize(2_000_000_000)).isEqualTo(2_000_000_000);
    requireCode(
        ErrorCode.INVALID_ARGUMENT,
        () -> TensorProtos.messageSize(1L << 31),
        "2147483648 bytes does not fit");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                                                                        | no element type"
            + " has the number 0",
        "dtype: DT_FLOAT_REF                                                     | reference type"
            + " of float",
        "dtype: DT_FLOAT tensor_shape { unknown_rank: true }                     | fully known"
            + " shape",
        "dtype: DT_FLOAT tensor_shape { dim { size: -1 } }                       | fully known"
            + " shape",
        "dtype: DT_FLOAT tensor_shape { dim { size: -7 } }                       | -1 (unknown) or"
            + " more",
        "dtype: DT_FLOAT tensor_shape { dim { size: "
            + HUGE
            + " } }             | more bytes than 2^63",
        "dtype: DT_FLOAT tensor_shape { dim { size: "
            + HUGE
            + " } dim { size: 3 } } | more elements than 2^63",
        "dtype: DT_FLOAT tensor_content: 'abc'                                   | 3 bytes do not"
            + " make a float tensor",
        "dtype: DT_FLOAT tensor_shape { dim { size: 0 } } tensor_content: 'abcd' | 4 bytes do not"
            + " make a float tensor",
        "dtype: DT_FLOAT tensor_content: 'abcdefgh'                              | 8 bytes do not"
            + " make a float tensor",
        "dtype: DT_BOOL tensor_content: '\\002'                                  | got 2 as element"
            + " 0",
        "dtype: DT_STRING tensor_content: '\\001'                                | are not 1"
            + " lengths",
        "dtype: DT_STRING tensor_content: '\\001ab'                              | are not 1"
            + " lengths",
        "dtype: DT_STRING tensor_content: '\\377'                                | are not 1"
            + " lengths",
        "dtype: DT_STRING tensor_content: '\\377\\377\\377\\377\\377\\377\\377\\377\\377\\001' |"
            + " are not 1 lengths",
        "dtype: DT_STRING tensor_shape { dim { size: "
            + HUGE
            + " } } tensor_content: '\\001a' | lengths",
      })
  void toTensor_malformed_isInvalid(String text, String part) {
    requireCode(ErrorCode.INVALID_ARGUMENT, () -> decode(text == null ? "" : text), part);
  }

  @Test
  void toTensor_unknownTypeNumber_isInvalid() {
    TensorProto proto = TensorProto.newBuilder().setDtypeValue(77).build();

    requireCode(
        ErrorCode.INVALID_ARGUMENT,
        () -> TensorProtos.toTensor(proto),
        "no element type has the number 77");
  }

  @Test
  void toTensor_typeWithoutTensors_isUnimplemented() {
    requireCode(ErrorCode.UNIMPLEMENTED, () -> decode("dtype: DT_INT4"), "int4");
  }

  @Test
  void toTensor_oneValueForMoreThanTheMachineHas_isExhausted() {
    String shape = " tensor_shape { dim { size: 17592186044416 } } ";

    requireCode(
        ErrorCode.RESOURCE_EXHAUSTED,
        () -> decode("dtype: DT_INT8" + shape + "int_val: 1"),
        "no native memory");
    requireCode(
        ErrorCode.RESOURCE_EXHAUSTED,
        () -> decode("dtype: DT_STRING" + shape + "string_val: 'a'"),
        "no Java heap");
  }

  @Test
  void toTensor_oneValueForManyElements_fillsThemAll() {
    try (Tensor tensor =
        decode("dtype: DT_INT32 tensor_shape { dim { size: 1000003 } } int_val: 7")) {
      assertThat(tensor.toInts()).containsOnly(7).hasSize(1000003);
    }
  }

  private static Tensor decode(String text) {
    try {
      return TensorProtos.toTensor(TextFormat.parse(text, TensorProto.class));
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** A tensor whose elements all differ, as far as the type has that many values. */
  private static Tensor counting(DataType type, Shape shape) {
    int count = (int) shape.elementCount();
    if (type.isObject()) {
      Object[] elements = new Object[count];
      Arrays.setAll(elements, i -> new byte[i]);
      return Tensor.ofObjects(type, shape, elements);
    }
    byte[] content = new byte[count * type.size()];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (type == DataType.BOOL ? i % 2 : 37 * i + 1);
    }
    return Tensor.of(type, shape, content);
  }

  private static void requireEqual(Tensor got, Tensor wanted) {
    assertThat(got.type()).isEqualTo(wanted.type());
    assertThat(got.shape()).isEqualTo(wanted.shape());
    if (wanted.type().isObject()) {
      assertThat(Arrays.deepEquals(got.objects(), wanted.objects())).isTrue();
    } else {
      assertThat(got.toBytes()).isEqualTo(wanted.toBytes());
    }
  }

  private static void requireBytes(Tensor tensor, String wanted) {
    try (tensor) {
      assertThat(hex(TensorProtos.toProto(tensor))).isEqualTo(packed(wanted));
    }
  }

  private static String hex(TensorProto proto) {
    return HexFormat.of().formatHex(proto.toByteArray());
  }

  private static String packed(String hex) {
    return hex.replace(" ", "");
  }

  private static void requireCode(ErrorCode code, Runnable call, String part) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(TributaryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(part);
  }
}
