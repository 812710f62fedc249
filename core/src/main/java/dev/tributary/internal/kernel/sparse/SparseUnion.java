package dev.tributary.internal.kernel.sparse;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.tensor.Tensor;

/**
 * The places that are in either of two sparse tensors of one shape, in order. Both tensors have
 * their places in order.
 */
final class SparseUnion {
  private final SparseInput a;
  private final SparseInput b;
  private final int[] inA;
  private final int[] inB;
  private final int count;

  SparseUnion(SparseInput a, SparseInput b) {
    this.a = a;
    this.b = b;
    int most = ArrayLength.of(a.count() + b.count());
    inA = new int[most];
    inB = new int[most];
    int places = 0;
    for (int i = 0, j = 0; i < a.count() || j < b.count(); places++) {
      int order = compare(i, j);
      inA[places] = order <= 0 ? i++ : -1;
      inB[places] = order >= 0 ? j++ : -1;
    }
    count = places;
  }

  int count() {
    return count;
  }

  /** The number of the value of the first tensor at a place, or -1. */
  int inA(int place) {
    return inA[place];
  }

  /** The number of the value of the second tensor at a place, or -1. */
  int inB(int place) {
    return inB[place];
  }

  /** Makes place {@code from} the place {@code to}, which is not behind it. */
  void keep(int from, int to) {
    inA[to] = inA[from];
    inB[to] = inB[from];
  }

  /** Writes the indices of the first places, one row for each. */
  void writeIndices(Tensor indices, int places) {
    RowMove ofA = new RowMove(a.indices(), indices, a.rank());
    RowMove ofB = new RowMove(b.indices(), indices, a.rank());
    for (int i = 0; i < places; i++) {
      if (inA[i] >= 0) {
        ofA.move(inA[i], i);
      } else {
        ofB.move(inB[i], i);
      }
    }
  }

  /** Compares two values; one behind the last comes last. */
  private int compare(long i, long j) {
    if (i == a.count() || j == b.count()) {
      return i == a.count() ? 1 : -1;
    }
    return Long.compare(a.place(i), b.place(j));
  }
}
