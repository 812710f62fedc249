package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The equation of an Einsum, such as {@code "bij,bjk->bik"}: a label for each dimension of the
 * inputs and the output, where {@code ...} stands for any number of dimensions that are broadcast.
 * Immutable.
 */
public final class EinsumEquation {
  private static final int ELLIPSIS = -1;

  private final List<int[]> inputs;
  private final int[] output;
  private final int named;

  private EinsumEquation(List<int[]> inputs, int[] output, int named) {
    this.inputs = inputs;
    this.output = output;
    this.named = named;
  }

  public static EinsumEquation parse(String equation) {
    String[] sides = equation.split("->", -1);
    if (sides.length != 2) {
      throw TributaryException.invalidArgument(
          "Expecting exactly one '->' in einsum equation: %s", equation);
    }
    String[] operands = sides[0].split(",", -1);
    if (operands.length > 2) {
      throw TributaryException.invalidArgument(
          "Expecting 1 or 2 input subscripts in equation '%s' but got: %d",
          equation, operands.length);
    }
    StringBuilder seen = new StringBuilder();
    List<int[]> inputs = new ArrayList<>();
    for (String operand : operands) {
      inputs.add(labels(operand, seen, equation));
    }
    int named = seen.length();
    int[] output = labels(sides[1], seen, equation);
    if (seen.length() > named) {
      throw TributaryException.invalidArgument(
          "label '%s' of the output of equation '%s' is in no input", seen.charAt(named), equation);
    }
    return new EinsumEquation(inputs, output, named);
  }

  private static int[] labels(String subscripts, StringBuilder seen, String equation) {
    int ellipsis = subscripts.indexOf("...");
    String letters = subscripts.replaceFirst("\\.\\.\\.", "");
    if (letters.indexOf('.') >= 0) {
      throw TributaryException.invalidArgument(
          "subscripts '%s' of equation '%s' must have at most one ellipsis '...'",
          subscripts, equation);
    }
    int[] labels = new int[letters.length() + (ellipsis < 0 ? 0 : 1)];
    int at = 0;
    for (int i = 0; i <= letters.length(); i++) {
      if (i == ellipsis) {
        labels[at++] = ELLIPSIS;
      }
      if (i < letters.length()) {
        String letter = letters.substring(i, i + 1);
        if (seen.indexOf(letter) < 0) {
          seen.append(letter);
        }
        labels[at++] = seen.indexOf(letter);
      }
    }
    return labels;
  }

  int inputCount() {
    return inputs.size();
  }

  /** The shape of the output for inputs of known rank, whose sizes may be unknown. */
  public Shape shape(List<Shape> shapes) {
    return sized(shapes).output();
  }

  /** Puts the equation to inputs of known rank; INVALID_ARGUMENT if it does not fit. */
  Sized sized(List<Shape> shapes) {
    if (shapes.size() != inputs.size()) {
      throw TributaryException.invalidArgument(
          "Expected %d inputs but got: %d", inputs.size(), shapes.size());
    }
    Shape broadcast = Shape.scalar();
    for (int i = 0; i < shapes.size(); i++) {
      broadcast = Broadcast.shape(broadcast, covered(i, shapes.get(i)));
    }
    int all = broadcast.rank();
    if (all > 0 && Arrays.stream(output).noneMatch(label -> label == ELLIPSIS)) {
      throw TributaryException.invalidArgument(
          "Output contains %d broadcasting dimension(s) but no ellipsis (...) was found in the"
              + " output subscripts.",
          all);
    }
    List<int[]> labels = new ArrayList<>();
    long[] sizes = new long[named + all];
    Arrays.fill(sizes, Shape.UNKNOWN);
    for (int i = 0; i < shapes.size(); i++) {
      Shape shape = shapes.get(i);
      int own = covered(i, shape).rank();
      labels.add(expanded(inputs.get(i), named + all - own, own));
      record(i, labels.get(i), shape, sizes);
    }
    for (int i = 0; i < all; i++) {
      sizes[named + i] = broadcast.size(i);
    }
    return new Sized(labels, expanded(output, named, all), sizes, named);
  }

  /** The dimensions of an input that its ellipsis stands for. */
  private Shape covered(int input, Shape shape) {
    int[] labels = inputs.get(input);
    int ellipsis = -1;
    for (int i = 0; i < labels.length; i++) {
      ellipsis = labels[i] == ELLIPSIS ? i : ellipsis;
    }
    int own = shape.rank() - labels.length + 1;
    if (ellipsis < 0 ? shape.rank() != labels.length : own < 0) {
      throw TributaryException.invalidArgument(
          "Expected input %d to have rank %s%d but got: %d",
          input,
          ellipsis < 0 ? "" : "at least ",
          ellipsis < 0 ? labels.length : labels.length - 1,
          shape.rank());
    }
    return ellipsis < 0 ? Shape.scalar() : shape.slice(ellipsis, ellipsis + own);
  }

  private static int[] expanded(int[] labels, int first, int count) {
    int[] all = new int[labels.length + count];
    int at = 0;
    for (int label : labels) {
      if (label == ELLIPSIS) {
        for (int i = 0; i < count; i++) {
          all[at++] = first + i;
        }
      } else {
        all[at++] = label;
      }
    }
    return Arrays.copyOf(all, at);
  }

  private void record(int input, int[] labels, Shape shape, long[] sizes) {
    for (int axis = 0; axis < labels.length; axis++) {
      int label = labels[axis];
      long size = shape.size(axis);
      if (label >= named || size == Shape.UNKNOWN) {
        continue;
      }
      if (sizes[label] != Shape.UNKNOWN && sizes[label] != size) {
        throw TributaryException.invalidArgument(
            "Expected dimension %d at axis %d of input %d shaped %s but got dimension %d",
            sizes[label], axis, input, shape, size);
      }
      sizes[label] = size;
    }
  }

  /**
   * The equation for inputs of certain shapes: labels from {@code named} on are those of broadcast
   * dimensions.
   *
   * @param inputs a label for each dimension of each input
   * @param sizes the size of each label
   */
  record Sized(List<int[]> inputs, int[] outputLabels, long[] sizes, int named) {
    Shape output() {
      long[] shape = new long[outputLabels.length];
      Arrays.setAll(shape, i -> sizes[outputLabels[i]]);
      return Shape.of(shape);
    }

    boolean isInOutput(int label) {
      return contains(outputLabels, label);
    }

    boolean isIn(int input, int label) {
      return contains(inputs.get(input), label);
    }

    private static boolean contains(int[] labels, int label) {
      return Arrays.stream(labels).anyMatch(l -> l == label);
    }
  }
}
