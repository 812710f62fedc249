package dev.tributary.ops;

/**
 * The specifications of attribute {@code T} that many ops share: which element types TensorFlow
 * lists for them.
 */
final class TypeSpecs {
  static final String REAL = "T: {bfloat16, half, float, double}";

  static final String REAL_OR_COMPLEX = "T: {bfloat16, half, float, double, complex64, complex128}";

  static final String SIGNED =
      "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}";

  static final String DIVISIBLE =
      "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64,"
          + " complex64, complex128}";

  static final String EXTREMAL =
      "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64,"
          + " uint64}";

  static final String ORDERED =
      "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32,"
          + " uint64}";

  private static final String NUMBERS =
      "float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,"
          + " qint16, quint16, uint16, complex128, half, uint32, uint64";

  static final String NUMBER = "T: {" + NUMBERS + "}";

  static final String NUMBER_OR_VARIANT = "T: {" + NUMBERS + ", variant}";

  private static final String ORDERED_OR_QUANTIZEDS =
      "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64,"
          + " qint8, quint8, qint32, qint16, quint16";

  static final String ORDERED_OR_QUANTIZED = "T: {" + ORDERED_OR_QUANTIZEDS + "}";

  static final String ORDERED_OR_QUANTIZED_OR_BOOL = "T: {" + ORDERED_OR_QUANTIZEDS + ", bool}";

  private TypeSpecs() {}
}
