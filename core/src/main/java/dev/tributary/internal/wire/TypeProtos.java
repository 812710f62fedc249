package dev.tributary.internal.wire;

import dev.tributary.tensor.DataType;

/**
 * Element types as messages have them. A reference type, which is what a {@code VariableV2} puts
 * out, has the number of its base plus 100.
 */
public final class TypeProtos {
  private static final int REFERENCE = 100;

  private TypeProtos() {}

  public static org.tensorflow.proto.DataType toProto(DataType type) {
    return org.tensorflow.proto.DataType.forNumber(type.number());
  }

  public static org.tensorflow.proto.DataType toReferenceProto(DataType type) {
    return org.tensorflow.proto.DataType.forNumber(type.number() + REFERENCE);
  }

  /**
   * The type with this number, the base of a reference type; a number and not the enum, which
   * cannot hold unknown ones.
   */
  public static DataType toType(int number) {
    return DataType.ofNumber(number);
  }

  public static boolean isReference(int number) {
    return number > REFERENCE;
  }
}
