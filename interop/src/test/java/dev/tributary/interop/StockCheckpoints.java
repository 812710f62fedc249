package dev.tributary.interop;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.AttrValue;

/** The checkpoint ops of stock TensorFlow, run one by one. */
final class StockCheckpoints {
  private StockCheckpoints() {}

  static void save(Path prefix, List<String> names, List<String> slices, List<Tensor> tensors) {
    try (Tensor file = Tensor.scalar(prefix.toString());
        Tensor nameTensor = strings(names);
        Tensor sliceTensor = strings(slices)) {
      List<Tensor> inputs = new ArrayList<>(List.of(file, nameTensor, sliceTensor));
      inputs.addAll(tensors);
      StockTensorFlow.runOp("SaveV2", Map.of(), inputs);
    }
  }

  /** The tensors, for the caller to close. */
  static List<Tensor> restore(
      Path prefix, List<String> names, List<String> slices, List<DataType> types) {
    AttrValue.Builder dtypes = AttrValue.newBuilder();
    types.forEach(type -> dtypes.getListBuilder().addTypeValue(type.number()));
    try (Tensor file = Tensor.scalar(prefix.toString());
        Tensor nameTensor = strings(names);
        Tensor sliceTensor = strings(slices)) {
      return StockTensorFlow.runOp(
          "RestoreV2", Map.of("dtypes", dtypes.build()), List.of(file, nameTensor, sliceTensor));
    }
  }

  static void merge(List<Path> prefixes, Path destination) {
    try (Tensor parts = strings(prefixes.stream().map(Path::toString).toList());
        Tensor whole = Tensor.scalar(destination.toString())) {
      StockTensorFlow.runOp("MergeV2Checkpoints", Map.of(), List.of(parts, whole));
    }
  }

  private static Tensor strings(List<String> values) {
    return Tensor.of(values.toArray(new String[0]));
  }
}
