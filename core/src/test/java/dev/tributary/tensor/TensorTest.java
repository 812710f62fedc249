package dev.tributary.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.testing.NoLeaks;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@NoLeaks
class TensorTest {
  @Test
  void of_everyJavaType_givesItBack() {
    try (Tensor floats = Tensor.of(1, 2.5f);
        Tensor doubles = Tensor.of(1, 2.5);
        Tensor ints = Tensor.of(1, -2);
        Tensor longs = Tensor.of(1L, -2L);
        Tensor booleans = Tensor.of(true, false);
        Tensor strings = Tensor.of("a", "é")) {
      assertThat(floats.toFloats()).containsExactly(1, 2.5f);
      assertThat(doubles.toDoubles()).containsExactly(1, 2.5);
      assertThat(ints.toInts()).containsExactly(1, -2);
      assertThat(longs.toLongs()).containsExactly(1, -2);
      assertThat(booleans.toBooleans()).containsExactly(true, false);
      assertThat(strings.toStrings()).containsExactly("a", "é");
      assertThat(floats.getFloat(1)).isEqualTo(2.5f);
      assertThat(doubles.getDouble(1)).isEqualTo(2.5);
      assertThat(ints.getInt(1)).isEqualTo(-2);
      assertThat(longs.getLong(1)).isEqualTo(-2);
      assertThat(booleans.getBoolean(0)).isTrue();
      assertThat(strings.getString(1)).isEqualTo("é");
      assertThat(ints.toIndices()).isEqualTo(longs.toIndices()).containsExactly(1, -2);
      assertThat(floats.shape()).isEqualTo(Shape.of(2));
    }
  }

  @Test
  void scalar_everyJavaType_givesItBack() {
    try (Tensor aFloat = Tensor.scalar(1.5f);
        Tensor aDouble = Tensor.scalar(1.5);
        Tensor anInt = Tensor.scalar(7);
        Tensor aLong = Tensor.scalar(7L);
        Tensor aBoolean = Tensor.scalar(true);
        Tensor aString = Tensor.scalar("x")) {
      assertThat(aFloat.floatValue()).isEqualTo(1.5f);
      assertThat(aDouble.doubleValue()).isEqualTo(1.5);
      assertThat(anInt.intValue()).isEqualTo(7);
      assertThat(aLong.longValue()).isEqualTo(7);
      assertThat(aBoolean.booleanValue()).isTrue();
      assertThat(aString.stringValue()).isEqualTo("x");
      assertThat(aFloat.rank()).isZero();
      assertThat(anInt).hasToString("Tensor<int32 []>");
    }
  }

  @Test
  void of_typeAndBits_setsTheBytes() {
    try (Tensor halves = Tensor.of(DataType.HALF, Shape.of(2), (short) 0x3c00, (short) -1);
        Tensor bytes = Tensor.of(DataType.INT32, Shape.of(1), new byte[] {1, 2, 0, 0})) {
      assertThat(halves.toBytes()).containsExactly(0x00, 0x3c, 0xff, 0xff);
      assertThat(bytes.toInts()).containsExactly(0x0201);
    }
  }

  @Test
  void of_wrongCount_isInvalid() {
    requireInvalid(() -> Tensor.of(Shape.of(3), 1f, 2f), "shape [3] does not hold 2 elements");
    requireInvalid(() -> Tensor.of(Shape.of(-1), 1f), "shape [?] does not hold 1 elements");
    requireInvalid(
        () -> Tensor.of(DataType.FLOAT, Shape.of(1), new byte[3]),
        "3 bytes do not make a float tensor");
    requireInvalid(() -> Tensor.of(DataType.FLOAT, Shape.of(1), new short[1]), "not 2 bytes wide");
    requireInvalid(
        () -> Tensor.of(DataType.STRING, Shape.of(1), new byte[3]),
        "3 bytes do not make a string tensor");
    requireInvalid(
        () -> Tensor.of(Shape.of(2), "a"), "1 objects do not make a string tensor of shape [2]");
  }

  @Test
  void of_bytesThatAreNoBooleans_isInvalid() {
    requireInvalid(
        () -> Tensor.of(DataType.BOOL, Shape.of(2), new byte[] {1, 2}), "got 2 as element 1");
  }

  @Test
  void ofComplex_pairsOfParts_areReadAsSuch() {
    try (Tensor narrow = Tensor.ofComplex(Shape.of(2), 1f, -2f, 3f, 4f);
        Tensor wide = Tensor.ofComplex(Shape.scalar(), 0.5, 0.25)) {
      assertThat(narrow).hasToString("Tensor<complex64 [2]>");
      assertThat(narrow.toComplexFloats()).containsExactly(1, -2, 3, 4);
      assertThat(wide.toComplexDoubles()).containsExactly(0.5, 0.25);
      requireInvalid(narrow::toComplexDoubles, "this tensor is complex64, not complex128");
    }
    requireInvalid(
        () -> Tensor.ofComplex(Shape.of(1), 1f), "1 parts do not make a complex64 tensor");
    requireInvalid(
        () -> Tensor.ofComplex(Shape.of(2), 1.0, 2.0), "shape [2] does not hold 1 elements");
  }

  @Test
  void allocate_unknownShapeOrForeignType_fails() {
    requireInvalid(() -> Tensor.allocate(DataType.FLOAT, Shape.of(2, -1)), "fully known shape");
    requireInvalid(
        () -> Tensor.allocate(DataType.DOUBLE, Shape.of(1L << 61)), "more bytes than 2^63");
    requireCode(
        ErrorCode.UNIMPLEMENTED,
        () -> Tensor.allocate(DataType.FLOAT8_E5M2, Shape.of(2)),
        "float8_e5m2");
    requireCode(
        ErrorCode.RESOURCE_EXHAUSTED,
        () -> Tensor.allocate(DataType.STRING, Shape.of(1L << 40)),
        "1099511627776 strings");
    requireCode(
        ErrorCode.RESOURCE_EXHAUSTED,
        () -> Tensor.allocate(DataType.INT8, Shape.of(1L << 46)),
        "no native memory");
  }

  @Test
  void zeros_nativeAndString_areZeroAndEmpty() {
    Tensor.of(9f, 9f, 9f).close(); // leaves a dirty block in the pool
    try (Tensor floats = Tensor.zeros(DataType.FLOAT, Shape.of(3));
        Tensor strings = Tensor.zeros(DataType.STRING, Shape.of(2));
        Tensor none = Tensor.zeros(DataType.FLOAT, Shape.of(0, 3))) {
      assertThat(floats.toFloats()).containsExactly(0, 0, 0);
      assertThat(strings.toStrings()).containsExactly("", "");
      assertThat(none.toFloats()).isEmpty();
    }
  }

  @Test
  void read_asAnotherType_isInvalid() {
    try (Tensor floats = Tensor.of(1f, 2f);
        Tensor strings = Tensor.of("a", "b")) {
      requireInvalid(() -> floats.getInt(0), "this tensor is float, not int32");
      requireInvalid(floats::toDoubles, "this tensor is float, not double");
      requireInvalid(floats::floatValue, "shape [2] is not a single value");
      requireInvalid(floats::objects, "no object elements");
      requireInvalid(strings::toBytes, "no raw bytes");
      requireInvalid(strings::toIndices, "not int64");
      requireCode(ErrorCode.OUT_OF_RANGE, () -> floats.getFloat(2), "element 2 of a tensor with 2");
      requireCode(
          ErrorCode.OUT_OF_RANGE, () -> floats.getFloat(-1), "element -1 of a tensor with 2");
    }
  }

  @Test
  void withShape_newShape_sharesTheElements() {
    try (Tensor flat = Tensor.of(1f, 2f, 3f, 4f);
        Tensor square = flat.withShape(Shape.of(2, 2))) {
      assertThat(square.sharesStorageWith(flat)).isTrue();
      assertThat(square.shape()).isEqualTo(Shape.of(2, 2));
      assertThat(flat.isExclusive()).isFalse();
      requireInvalid(() -> flat.withShape(Shape.of(3)), "[4] cannot be seen as [3]");
    }
  }

  @Test
  void reshape_newShape_takesTheReferenceOver() {
    try (Tensor square = Tensor.of(1f, 2f, 3f, 4f).reshape(Shape.of(2, 2))) {
      assertThat(square.isExclusive()).isTrue();
      assertThat(square.toFloats()).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  void bitcast_otherWidths_seesTheSameBytes() {
    try (Tensor ints = Tensor.of(0x3f800000, 0x40000000);
        Tensor floats = ints.bitcast(DataType.FLOAT, Shape.of(2));
        Tensor bytes = ints.bitcast(DataType.UINT8, Shape.of(2, 4))) {
      assertThat(floats.toFloats()).containsExactly(1, 2);
      assertThat(bytes.toBytes()).containsExactly(0, 0, 0x80, 0x3f, 0, 0, 0, 0x40);
    }
  }

  @Test
  void bitcast_whatDoesNotFit_isInvalid() {
    try (Tensor bytes = Tensor.of(DataType.UINT8, Shape.of(6), new byte[6]);
        Tensor none = Tensor.zeros(DataType.FLOAT, Shape.of(0))) {
      requireInvalid(
          () -> bytes.bitcast(DataType.FLOAT, Shape.of(1)), "do not make a float tensor [1]");
      requireInvalid(() -> bytes.bitcast(DataType.BOOL, Shape.of(6)), "do not make a bool tensor");
      requireInvalid(
          () -> none.bitcast(DataType.STRING, Shape.of(5)), "do not make a string tensor");
      requireInvalid(
          () -> none.bitcast(DataType.FLOAT, Shape.of(1L << 62)), "do not make a float tensor");
    }
  }

  @Test
  void retain_twoHolders_lastCloseReleases() {
    Tensor tensor = Tensor.of(1f);
    Tensor second = tensor.retain();
    tensor.close();
    assertThat(second.floatValue()).isEqualTo(1);
    second.close();

    assertThat(tensor.isClosed()).isTrue();
    assertThat(second.isClosed()).isTrue();
  }

  @Test
  void close_twice_leavesTheOtherHolderAlone() {
    Tensor tensor = Tensor.of(1f);
    try (Tensor second = tensor.retain()) {
      tensor.close();
      tensor.close();
      assertThat(second.floatValue()).isEqualTo(1);
      requireCode(ErrorCode.FAILED_PRECONDITION, tensor::floatValue, "used after it was closed");
    }
  }

  @Test
  void reshape_newShape_closesTheOldTensor() {
    Tensor flat = Tensor.of(1f, 2f);
    try (Tensor column = flat.reshape(Shape.of(2, 1))) {
      flat.close();
      assertThat(column.toFloats()).containsExactly(1, 2);
      requireCode(ErrorCode.FAILED_PRECONDITION, flat::toFloats, "Tensor<float [2]> was used");
    }
  }

  @Test
  void use_afterClose_namesTheTensorAndWhatToDo() {
    Tensor.track(false);
    Tensor tensor = Tensor.zeros(DataType.INT64, Shape.of(2, 3));
    tensor.close();

    requireCode(
        ErrorCode.FAILED_PRECONDITION,
        tensor::toLongs,
        "Tensor<int64 [2,3]> was used after it was closed; Tensor.track(true) records"
            + " where. Closing a StepResult closes its tensors; keep one for longer with retain()");
  }

  @Test
  void use_afterCloseWithLeakDetection_saysWhereItWasClosed() {
    Tensor.track(true);
    try {
      Tensor tensor = Tensor.of(1f);
      tensor.close();

      assertThatThrownBy(tensor::floatValue)
          .hasMessageContaining("was used after it was closed at ")
          .hasMessageContaining("use_afterCloseWithLeakDetection_saysWhereItWasClosed")
          .hasMessageContaining("(TensorTest.java:")
          .cause()
          .hasMessage("Tensor<float [1]> was closed here");
    } finally {
      Tensor.track(false);
    }
  }

  @Test
  void live_withLeakDetection_saysWhereOpenTensorsWereMade() {
    Tensor.track(true);
    try {
      Tensor tensor = Tensor.of(1f);
      assertThat(Tensor.live()).anyMatch(TensorTest::isFromHere);
      tensor.close();
      assertThat(Tensor.live()).noneMatch(TensorTest::isFromHere);
    } finally {
      Tensor.track(false);
    }
  }

  private static boolean isFromHere(Throwable made) {
    return Arrays.stream(made.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().startsWith("live_withLeakDetection"));
  }

  @Test
  void strings_afterRelease_cannotBeUsed() {
    Tensor strings = Tensor.of("a");
    strings.close();

    requireCode(ErrorCode.FAILED_PRECONDITION, () -> strings.getString(0), "used after");
  }

  private static void requireInvalid(ThrowingCallable call, String part) {
    requireCode(ErrorCode.INVALID_ARGUMENT, call, part);
  }

  private static void requireCode(ErrorCode code, ThrowingCallable call, String part) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TributaryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(part);
  }
}
