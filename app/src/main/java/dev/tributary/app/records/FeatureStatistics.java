package dev.tributary.app.records;

import com.google.protobuf.ByteString;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.tensorflow.proto.Feature;

/** Statistics of the values that one feature has in all examples. Confined to one thread. */
final class FeatureStatistics {
  private final Set<String> kinds = new TreeSet<>();
  private long records;
  private long fewest = Long.MAX_VALUE;
  private long most;
  private long values;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private double sum;

  void add(Feature feature) {
    records++;
    long before = values;
    switch (feature.getKindCase()) {
      case INT64_LIST -> {
        kinds.add("int64");
        feature.getInt64List().getValueList().forEach(value -> value(value));
      }
      case FLOAT_LIST -> {
        kinds.add("float");
        feature.getFloatList().getValueList().forEach(value -> value(value));
      }
      case BYTES_LIST -> {
        kinds.add("bytes");
        for (ByteString value : feature.getBytesList().getValueList()) {
          value(value.size());
        }
      }
      case KIND_NOT_SET -> kinds.add("none");
    }
    fewest = Math.min(fewest, values - before);
    most = Math.max(most, values - before);
  }

  private void value(double value) {
    values++;
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
  }

  /** The cells of the feature's row. */
  String[] row(String name) {
    return new String[] {
      name,
      String.join("|", kinds),
      Long.toString(records),
      fewest == most ? Long.toString(fewest) : fewest + " to " + most,
      values == 0 ? "" : number(min),
      values == 0 ? "" : number(max),
      values == 0 ? "" : number(sum / values)
    };
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.6g", value);
  }
}
