package dev.tributary.internal.example;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FeatureList;
import org.tensorflow.proto.SequenceExample;

/** Sequence examples that were read from strings: a context and feature lists each. Immutable. */
final class SequenceBatch {
  private final ExampleBatch context;
  private final List<Map<String, FeatureList>> lists = new ArrayList<>();

  /**
   * @param serialized the bytes of each example
   * @param names a name for each, or none
   */
  SequenceBatch(Tensor serialized, String[] names) {
    List<Map<String, Feature>> contexts = new ArrayList<>();
    this.context = new ExampleBatch(contexts, names);
    for (Object bytes : serialized.objects()) {
      try {
        SequenceExample example = SequenceExample.parseFrom((byte[]) bytes);
        contexts.add(example.getContext().getFeatureMap());
        lists.add(example.getFeatureLists().getFeatureListMap());
      } catch (InvalidProtocolBufferException e) {
        throw TributaryException.invalidArgument(
            "%s: Invalid protocol message input: %s", context.where(lists.size()), e.getMessage());
      }
    }
  }

  ExampleBatch context() {
    return context;
  }

  int size() {
    return lists.size();
  }

  /** The rows of a feature list in each example; nothing where an example does not have it. */
  List<Optional<List<FeatureValues>>> rows(String key, DataType type) {
    List<Optional<List<FeatureValues>>> column = new ArrayList<>(lists.size());
    for (int i = 0; i < lists.size(); i++) {
      FeatureList list = lists.get(i).get(key);
      column.add(list == null ? Optional.empty() : Optional.of(rows(i, list, key, type)));
    }
    return column;
  }

  private List<FeatureValues> rows(int example, FeatureList list, String key, DataType type) {
    List<FeatureValues> rows = new ArrayList<>(list.getFeatureCount());
    for (Feature feature : list.getFeatureList()) {
      try {
        rows.add(FeatureValues.orNone(feature, key, type));
      } catch (TributaryException e) {
        throw e.at(context.where(example) + ", Index: " + rows.size());
      }
    }
    return rows;
  }
}
