package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import java.util.Arrays;
import java.util.List;

/**
 * The sizes of the hidden layers of a network, the first one first. Immutable.
 *
 * @param sizes 1 or more each; may be empty for a network without hidden layers
 */
public record HiddenUnits(List<Integer> sizes) {
  public HiddenUnits {
    sizes = List.copyOf(sizes);
    for (int size : sizes) {
      if (size < 1) {
        throw TributaryException.invalidArgument(
            "hidden layers need 1 unit or more, got %s", sizes);
      }
    }
  }

  public static HiddenUnits hiddenUnits(int... sizes) {
    return new HiddenUnits(Arrays.stream(sizes).boxed().toList());
  }
}
