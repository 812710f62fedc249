package dev.tributary.train.hook;

import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Values of a tensor in a line of a log: all of a small one, the first ones of a large one. */
final class TensorText {
  private static final int MOST = 8;

  private TensorText() {}

  static String of(Tensor tensor) {
    if (tensor.rank() == 0) {
      return element(tensor, 0);
    }
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < Math.min(MOST, tensor.elementCount()); i++) {
      shown.add(element(tensor, i));
    }
    if (tensor.elementCount() > MOST) {
      shown.add("... " + tensor.shape());
    }
    return "[" + String.join(" ", shown) + "]";
  }

  private static String element(Tensor tensor, int index) {
    switch (tensor.type()) {
      case FLOAT:
        return Float.toString(tensor.getFloat(index));
      case DOUBLE:
        return Double.toString(tensor.getDouble(index));
      case INT32:
      case INT64:
        return Long.toString(tensor.getIndex(index));
      case BOOL:
        return Boolean.toString(tensor.getBoolean(index));
      case STRING:
        return tensor.getString(index);
      default:
        return tensor.type().lowerName();
    }
  }
}
