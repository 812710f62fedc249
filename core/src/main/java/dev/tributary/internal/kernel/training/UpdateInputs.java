package dev.tributary.internal.kernel.training;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of an update op's inputs. The first {@code stateCount} are the variable and its slots;
 * then come, in an order of the op's own, the gradient, the indices of a sparse update, and
 * scalars. Immutable.
 */
public final class UpdateInputs {
  private static final String INDICES = "indices";

  private final List<String> names;
  private final int stateCount;
  private final int gradient;
  private final int indices;
  private final int[] scalars;

  /**
   * Reads the parts from the names of all inputs in order.
   *
   * @param gradientName what the op calls its gradient; indices are always called {@code indices}
   */
  public UpdateInputs(List<String> names, int stateCount, String gradientName) {
    this.names = List.copyOf(names);
    this.stateCount = stateCount;
    this.gradient = names.indexOf(gradientName);
    this.indices = names.indexOf(INDICES);
    List<Integer> rest = new ArrayList<>();
    for (int i = stateCount; i < names.size(); i++) {
      if (i != gradient && i != indices) {
        rest.add(i);
      }
    }
    this.scalars = rest.stream().mapToInt(Integer::intValue).toArray();
  }

  public int stateCount() {
    return stateCount;
  }

  public int gradient() {
    return gradient;
  }

  public boolean isSparse() {
    return indices >= 0;
  }

  public int indices() {
    return indices;
  }

  public int scalarCount() {
    return scalars.length;
  }

  /** The input that holds scalar {@code i}. */
  public int scalar(int i) {
    return scalars[i];
  }

  String name(int input) {
    return names.get(input);
  }

  /** Fails unless input {@code i} can have the variable's shape. */
  public void requireSameShape(int i, Shape variable, Shape shape) {
    if (!variable.isCompatibleWith(shape)) {
      throw TributaryException.invalidArgument(
          "%s and %s do not have the same shape: %s and %s",
          names.get(0), names.get(i), variable, shape);
    }
  }
}
