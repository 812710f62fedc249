package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;

/**
 * The way in which values of members become one.
 *
 * @param isMean whether the result is divided by the number of members
 */
public record CollectiveReduction(Merge merge, boolean isMean) {
  /** For collectives that join nothing. */
  public static final CollectiveReduction NONE = new CollectiveReduction(Merge.ADD, false);

  /** The functions that join two values. */
  public enum Merge {
    ADD,
    MULTIPLY,
    MINIMUM,
    MAXIMUM
  }

  /** The reduction that attributes name as TensorFlow does: {@code Add} and {@code Div}, say. */
  public static CollectiveReduction of(String mergeOp, String finalOp) {
    Merge merge =
        switch (mergeOp) {
          case "Add" -> Merge.ADD;
          case "Mul" -> Merge.MULTIPLY;
          case "Min" -> Merge.MINIMUM;
          case "Max" -> Merge.MAXIMUM;
          default ->
              throw TributaryException.invalidArgument(
                  "the reduction is '%s', wanted Min, Max, Mul or Add", mergeOp);
        };
    return new CollectiveReduction(merge, finalOp.equals("Div"));
  }
}
