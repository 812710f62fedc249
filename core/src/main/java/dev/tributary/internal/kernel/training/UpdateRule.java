package dev.tributary.internal.kernel.training;

/**
 * An optimizer's update of a variable and its slots by a gradient, element by element. Free of
 * state.
 */
@FunctionalInterface
public interface UpdateRule {
  /**
   * Changes some neighbouring elements.
   *
   * @param state the variable and its slots, in the order of the op's inputs, to be changed in
   *     place
   * @param gradient not to be changed
   * @param scalars learning rate and the like, in the order of the op's inputs
   * @param scratch two tiles of the same length for free use
   */
  void apply(Tile[] state, Tile gradient, double[] scalars, Tile[] scratch);

  /**
   * Fails if the scalars are outside of what the rule is defined for. TensorFlow looks at them for
   * sparse updates only.
   */
  default void checkSparse(double[] scalars) {}
}
