package dev.tributary.internal.example;

import com.google.protobuf.ByteString;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import org.tensorflow.proto.Feature;

/**
 * The values of one feature of one example, of one of the three types that features have.
 * Immutable.
 */
final class FeatureValues {
  private final Feature feature;
  private final DataType type;

  private FeatureValues(Feature feature, DataType type) {
    this.feature = feature;
    this.type = type;
  }

  /** The values, which must have the type that is wanted. */
  static FeatureValues of(Feature feature, String key, DataType wanted) {
    DataType actual = typeOf(feature);
    if (actual != wanted) {
      throw TributaryException.invalidArgument(
          "Key: %s.  Data types don't match. Expected type: %s, Actual type: %s",
          key, wanted.lowerName(), actual.lowerName());
    }
    return new FeatureValues(feature, wanted);
  }

  /** The same, or no values for a feature that has none of any type. */
  static FeatureValues orNone(Feature feature, String key, DataType wanted) {
    return feature.getKindCase() == Feature.KindCase.KIND_NOT_SET
        ? new FeatureValues(feature, wanted)
        : of(feature, key, wanted);
  }

  private static DataType typeOf(Feature feature) {
    return switch (feature.getKindCase()) {
      case BYTES_LIST -> DataType.STRING;
      case FLOAT_LIST -> DataType.FLOAT;
      default -> DataType.INT64;
    };
  }

  int count() {
    return switch (type) {
      case STRING -> feature.getBytesList().getValueCount();
      case FLOAT -> feature.getFloatList().getValueCount();
      default -> feature.getInt64List().getValueCount();
    };
  }

  /** Copies all values into a tensor of their type, from element {@code at} on. */
  void copyTo(Tensor tensor, long at) {
    int count = count();
    switch (type) {
      case STRING -> {
        Object[] strings = tensor.objects();
        for (int i = 0; i < count; i++) {
          ByteString value = feature.getBytesList().getValue(i);
          strings[(int) at + i] = value.toByteArray();
        }
      }
      case FLOAT -> {
        long to = tensor.storage().address() + Float.BYTES * at;
        for (int i = 0; i < count; i++) {
          Memory.putFloat(to + (long) Float.BYTES * i, feature.getFloatList().getValue(i));
        }
      }
      default -> {
        long to = tensor.storage().address() + Long.BYTES * at;
        for (int i = 0; i < count; i++) {
          Memory.putLong(to + (long) Long.BYTES * i, feature.getInt64List().getValue(i));
        }
      }
    }
  }
}
