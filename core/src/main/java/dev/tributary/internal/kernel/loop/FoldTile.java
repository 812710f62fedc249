package dev.tributary.internal.kernel.loop;

/** A stamped loop of two operands whose function can also be folded over many elements. */
interface FoldTile extends BinaryTile {
  /**
   * Folds each of {@code rows} neighbouring runs of {@code width} elements, and leaves the results
   * at the tile's start.
   */
  void foldRows(Object tile, int rows, int width);

  /**
   * Replaces elements by running results, from the first or from the last on. {@code carry} holds,
   * in its first element, what went before, and is updated; an exclusive scan leaves each element
   * itself out.
   */
  void scan(Object tile, int count, boolean exclusive, boolean reverse, Object carry);
}
