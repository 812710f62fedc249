package dev.tributary.train.data;

/**
 * An element of two parts, such as features and a label. Longer tuples are pairs of pairs, or lists
 * if their parts are alike.
 */
public record Pair<A, B>(A first, B second) {
  public static <A, B> Pair<A, B> of(A first, B second) {
    return new Pair<>(first, second);
  }
}
