package dev.tributary.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.tensor.OptionalTensors;
import dev.tributary.internal.tensor.RaggedTensors;
import dev.tributary.internal.tensor.TensorList;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.VariantTensorDataProto;

@NoLeaks
class VariantProtosTest {
  private static final int ROUNDS = 20_000;

  @Test
  void list_withUnsetElements_comesBackEqual() {
    TensorList list = new TensorList(DataType.INT32, Shape.of(-1), 9);
    list.resize(5);
    list.set(1, Tensor.of(1, 2));
    list.set(2, Tensor.of(3));
    try (Tensor tensor = variant(list);
        Tensor back = TensorProtos.toTensor(TensorProtos.toProto(tensor))) {
      TensorList read = (TensorList) back.objects()[0];
      assertThat(read.size()).isEqualTo(5);
      assertThat(read.limit()).isEqualTo(9);
      assertThat(read.elementType()).isEqualTo(DataType.INT32);
      assertThat(read.elementShape()).isEqualTo(Shape.of(-1));
      assertThat(read.get(1).toInts()).containsExactly(1, 2);
      assertThat(read.get(2).toInts()).containsExactly(3);
      assertThat(List.of(read.isSet(0), read.isSet(3), read.isSet(4))).containsOnly(false);
    }
  }

  /** Bytes that stock TensorFlow writes: -1 is a number of ten bytes. */
  @Test
  void list_withoutALimit_hasTensorFlowsBytes() {
    TensorList list = new TensorList(DataType.FLOAT, Shape.of(2), TensorList.UNLIMITED);
    list.resize(1);
    try (Tensor tensor = variant(list)) {
      VariantTensorDataProto proto = VariantProtos.toProto(tensor.objects()[0]);

      assertThat(proto.getTypeName()).isEqualTo("tensorflow::TensorList");
      assertThat(HexFormat.of().formatHex(proto.getMetadata().toByteArray()))
          .isEqualTo("0100" + "01" + "ffffffffffffffffff01" + "12020802");
    }
  }

  @Test
  void listOfLists_comesBackEqual() {
    TensorList inner = new TensorList(DataType.STRING, Shape.scalar(), TensorList.UNLIMITED);
    inner.push(Tensor.scalar("a"));
    TensorList outer = new TensorList(DataType.VARIANT, Shape.scalar(), TensorList.UNLIMITED);
    outer.push(variant(inner));
    try (Tensor tensor = variant(outer);
        Tensor back = TensorProtos.toTensor(TensorProtos.toContentProto(tensor))) {
      Tensor element = ((TensorList) back.objects()[0]).get(0);
      assertThat(((TensorList) element.objects()[0]).get(0).stringValue()).isEqualTo("a");
    }
  }

  @Test
  void optionals_comeBackEqual() {
    OptionalTensors some = OptionalTensors.of(List.of(Tensor.scalar(1f), Tensor.scalar("b")));
    Object[] elements = {some, OptionalTensors.none(), null};
    try (Tensor tensor = Tensor.ofObjects(DataType.VARIANT, Shape.of(3), elements);
        Tensor back = TensorProtos.toTensor(TensorProtos.toProto(tensor))) {
      List<Tensor> components = ((OptionalTensors) back.objects()[0]).components().get();
      assertThat(components.get(0).floatValue()).isEqualTo(1);
      assertThat(components.get(1).stringValue()).isEqualTo("b");
      assertThat(((OptionalTensors) back.objects()[1]).components()).isEmpty();
      assertThat(back.objects()[2]).isEqualTo(new byte[0]);
    }
  }

  @Test
  void raggedTensors_comeBackEqual() {
    RaggedTensors ragged =
        RaggedTensors.of(List.of(Tensor.of(0L, 2L, 2L, 3L), Tensor.of("a", "b", "c")));
    try (Tensor tensor = Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), ragged);
        Tensor back = TensorProtos.toTensor(TensorProtos.toProto(tensor))) {
      RaggedTensors got = (RaggedTensors) back.objects()[0];
      assertThat(got.splits(0).toIndices()).containsExactly(0, 2, 2, 3);
      assertThat(got.values().toStrings()).containsExactly("a", "b", "c");
    }
  }

  @Test
  void list_thatClaimsMoreThanItsBytesHold_isRefused() {
    requireInvalid(list("ffffffff0f0101"), "indices");
    requireInvalid(list("020100" + "01" + "01"), "must rise");
    requireInvalid(list("0107" + "01" + "01"), "is not set");
    requireInvalid(list("01"), "malformed tensor list");
    requireInvalid(list("0063" + "01"), "no element type has the number 99");
    TensorProto number = TensorProto.newBuilder().setDtypeValue(3).addIntVal(1).build();
    requireInvalid(
        list("0001" + "01").toBuilder().addTensors(number).build(), "cannot be an element");
    TensorProto huge =
        number.toBuilder().setTensorShape(ShapeProtos.toProto(Shape.of(1 << 20))).build();
    requireInvalid(
        list("0003" + "01").toBuilder().addTensors(huge).build(),
        "cannot stand for 1048576 elements");
  }

  /** As content, a message in a message is bytes, which no parser limits. */
  @Test
  void lists_nestedTooDeep_areRefused() {
    VariantTensorDataProto proto = list("0001" + "01");
    for (int i = 0; i < 64; i++) {
      byte[] bytes = proto.toByteArray();
      ByteString.Output content = ByteString.newOutput();
      for (int left = bytes.length; left != 0; left >>>= 7) {
        content.write(left > 0x7f ? left & 0x7f | 0x80 : left);
      }
      content.write(bytes, 0, bytes.length);
      TensorProto element =
          TensorProto.newBuilder()
              .setDtypeValue(DataType.VARIANT.number())
              .setTensorContent(content.toByteString())
              .build();
      proto = list("0015" + "01").toBuilder().addTensors(element).build();
    }
    requireInvalid(proto, "at most 64 levels");
  }

  @Test
  void list_withRandomChanges_makesATensorOrAClearError() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    TensorList list = new TensorList(DataType.INT32, Shape.of(-1), 9);
    list.resize(5);
    list.set(1, Tensor.of(1, 2));
    list.set(2, Tensor.of(3));
    byte[] original;
    try (Tensor tensor = variant(list)) {
      original = TensorProtos.toProto(tensor).getTensorContent().toByteArray();
    }
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = original.clone();
      for (int k = random.nextInt(3); k >= 0; k--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      TensorProto proto =
          TensorProto.newBuilder()
              .setDtypeValue(DataType.VARIANT.number())
              .setTensorContent(ByteString.copyFrom(bytes))
              .build();
      try {
        TensorProtos.toTensor(proto).close();
      } catch (TributaryException e) {
        assertThat(e.code())
            .as("seed %d", seed)
            .isIn(
                ErrorCode.INVALID_ARGUMENT, ErrorCode.UNIMPLEMENTED, ErrorCode.RESOURCE_EXHAUSTED);
      }
    }
  }

  private static void requireInvalid(VariantTensorDataProto variant, String message) {
    TensorProto proto =
        TensorProto.newBuilder()
            .setDtypeValue(DataType.VARIANT.number())
            .addVariantVal(variant)
            .build();
    assertThatThrownBy(() -> TensorProtos.toTensor(proto))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining(message);
  }

  private static VariantTensorDataProto list(String metadata) {
    return VariantTensorDataProto.newBuilder()
        .setTypeName(TensorList.TYPE_NAME)
        .setMetadata(ByteString.copyFrom(HexFormat.of().parseHex(metadata)))
        .build();
  }

  private static Tensor variant(TensorList list) {
    return Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), list);
  }
}
