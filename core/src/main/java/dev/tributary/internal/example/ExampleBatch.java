package dev.tributary.internal.example;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;

/** Examples that were read from strings, with their names for error messages. Immutable. */
final class ExampleBatch {
  private final List<Map<String, Feature>> examples;
  private final String[] names;

  /** Features that were read already. */
  ExampleBatch(List<Map<String, Feature>> examples, String[] names) {
    this.examples = examples;
    this.names = names;
  }

  /**
   * @param serialized the bytes of each example
   * @param names a name for each, or none
   */
  ExampleBatch(Tensor serialized, String[] names) {
    this(new ArrayList<>(), names);
    for (Object bytes : serialized.objects()) {
      try {
        examples.add(Example.parseFrom((byte[]) bytes).getFeatures().getFeatureMap());
      } catch (InvalidProtocolBufferException e) {
        throw TributaryException.invalidArgument(
            "Could not parse example input %d%s: %s",
            examples.size(), named(examples.size()), e.getMessage());
      }
    }
  }

  int size() {
    return examples.size();
  }

  /** The values of a feature in each example; nothing where an example has none. */
  List<Optional<FeatureValues>> feature(String key, DataType type) {
    List<Optional<FeatureValues>> column = new ArrayList<>(examples.size());
    for (int i = 0; i < examples.size(); i++) {
      Feature feature = examples.get(i).get(key);
      if (feature == null || feature.getKindCase() == Feature.KindCase.KIND_NOT_SET) {
        column.add(Optional.empty());
      } else {
        try {
          column.add(Optional.of(FeatureValues.of(feature, key, type)));
        } catch (TributaryException e) {
          throw e.at(where(i));
        }
      }
    }
    return column;
  }

  /** Describes example {@code i} in an error. */
  String where(int i) {
    return "Example " + i + named(i);
  }

  private String named(int i) {
    return names.length == 0 ? "" : " '" + names[i] + "'";
  }
}
