package dev.tributary.ops;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * The gradient of Einsum, again as Einsums. The gradient of an input is the product of the output's
 * gradient and the other input, with the labels of the first one behind the arrow; labels that only
 * this input has are put in again by repeating it.
 */
final class EinsumGradient {
  private static final String ELLIPSIS = "...";

  private final Ops tf;
  private final Output input;
  private final String labels;

  /** The labels that were summed over before the product, each once. */
  private final String reduced;

  private EinsumGradient(Ops tf, Output input, String labels, String others) {
    this.tf = tf;
    this.input = input;
    this.labels = labels;
    StringBuilder only = new StringBuilder();
    for (char label : labels.replace(ELLIPSIS, "").toCharArray()) {
      if (others.indexOf(label) < 0 && only.indexOf(String.valueOf(label)) < 0) {
        only.append(label);
      }
    }
    this.reduced = only.toString();
  }

  static List<Output> of(Ops tf, Operation op, Output dy) {
    String[] sides = op.attributes().string("equation").split("->", -1);
    String[] labels = sides[0].split(",", -1);
    String result = sides[1];
    if (labels.length == 1) {
      // An ellipsis that the result does not have stands for nothing.
      String own = result.contains(ELLIPSIS) ? labels[0] : labels[0].replace(ELLIPSIS, "");
      return List.of(new EinsumGradient(tf, op.input(0), own, result).expanded(dy, result));
    }
    List<Output> gradients = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      EinsumGradient gradient =
          new EinsumGradient(tf, op.input(i), labels[i], result + labels[1 - i]);
      Output other = tf.math.conj(op.input(1 - i));
      gradients.add(gradient.ofProduct(dy, result, other, labels[1 - i]));
    }
    return gradients;
  }

  private Output ofProduct(Output dy, String result, Output other, String otherLabels) {
    StringBuilder kept = new StringBuilder(labels);
    for (char label : reduced.toCharArray()) {
      kept = new StringBuilder(kept.toString().replace(String.valueOf(label), ""));
    }
    String left = kept.toString();
    boolean broadcast = result.contains(ELLIPSIS);
    String wide = broadcast && !left.contains(ELLIPSIS) ? left + ELLIPSIS : left;
    Output gradient = tf.linalg.einsum(result + "," + otherLabels + "->" + wide, dy, other);
    if (broadcast) {
      Output repeated =
          tf.array
              .broadcastGradientArgs(covered(input, labels), covered(other, otherLabels))
              .get(0);
      Output axes = tf.add(repeated, tf.constant(wide.indexOf(ELLIPSIS)));
      gradient = tf.reshape(tf.math.sum(gradient, axes, false), sizes(left));
    }
    return expanded(gradient, left);
  }

  /** Repeats a gradient with some labels along those that were summed over. */
  private Output expanded(Output gradient, String has) {
    if (has.equals(labels)) {
      return gradient;
    }
    Output wide = gradient;
    if (!reduced.isEmpty()) {
      wide = tf.array.broadcastTo(gradient, tf.concat(0, sizes(reduced), tf.shape(gradient)));
    }
    return tf.linalg.einsum(reduced + has + "->" + labels, wide);
  }

  /** The sizes of the input's dimensions with these labels, as a vector. */
  private Output sizes(String wanted) {
    List<Output> parts = new ArrayList<>();
    parts.add(tf.slice(tf.shape(input), new int[] {0}, new int[] {0}));
    for (int i = 0; i < wanted.length(); i++) {
      boolean ellipsis = wanted.startsWith(ELLIPSIS, i);
      parts.add(ellipsis ? covered(input, labels) : size(wanted.charAt(i)));
      i += ellipsis ? ELLIPSIS.length() - 1 : 0;
    }
    return parts.size() == 1 ? parts.get(0) : tf.concat(0, parts);
  }

  private Output size(char label) {
    int at = labels.indexOf(label);
    int ellipsis = labels.indexOf(ELLIPSIS);
    if (ellipsis < 0 || at < ellipsis) {
      return tf.slice(tf.shape(input), new int[] {at}, new int[] {1});
    }
    Output rest =
        tf.array.stridedSlice(
            tf.shape(input),
            new int[] {at - labels.length()},
            new int[] {Integer.MAX_VALUE},
            new int[] {1});
    return tf.slice(rest, new int[] {0}, new int[] {1});
  }

  /** The sizes of the dimensions that an ellipsis stands for; none if there is no ellipsis. */
  private Output covered(Output tensor, String itsLabels) {
    int begin = itsLabels.indexOf(ELLIPSIS);
    int behind = itsLabels.length() - begin - ELLIPSIS.length();
    if (begin < 0) {
      return tf.slice(tf.shape(tensor), new int[] {0}, new int[] {0});
    }
    return tf.array.stridedSlice(
        tf.shape(tensor),
        new int[] {begin},
        new int[] {behind == 0 ? Integer.MAX_VALUE : -behind},
        new int[] {1});
  }
}
