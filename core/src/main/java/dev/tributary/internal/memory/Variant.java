package dev.tributary.internal.memory;

import dev.tributary.error.TributaryException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A value in an element of a variant tensor that holds tensors, such as a list of them. It counts
 * its references: every element that shows the value has one, and with the last one what it holds
 * is given back. Elements that are copied from tensor to tensor go through {@link #put}.
 *
 * <p>A variant is a value: whoever has the only reference, in a tensor to which it has the only
 * reference, may change it. Everybody else makes a copy first.
 */
public abstract class Variant extends Storage {
  /** The most levels of variants in variants, which are read and given back by recursion. */
  public static final int MOST_LEVELS = 64;

  /** The values that this thread is about to end, from within the end of another one. */
  private static final ThreadLocal<Deque<Variant>> ENDING = new ThreadLocal<>();

  protected Variant() {
    super(0);
  }

  /** Levels of variants in this one, itself included. */
  protected abstract int levels();

  /** Levels of variants in a variant that is to hold these elements; fails if they are too many. */
  protected static int levelsAround(Object[] elements) {
    int most = 0;
    for (Object element : elements) {
      most = element instanceof Variant variant ? Math.max(most, variant.levels()) : most;
    }
    if (most >= MOST_LEVELS) {
      throw TributaryException.invalidArgument(
          "a variant holds variants in at most %d levels", MOST_LEVELS);
    }
    return most + 1;
  }

  /** Gives back what this value holds. Called once, with the last reference. */
  protected abstract void releaseHeld();

  /** Values in values are ended one after the other, which takes no stack however deep they are. */
  @Override
  final void free() {
    Deque<Variant> outer = ENDING.get();
    if (outer != null) {
      outer.add(this);
      return;
    }
    Deque<Variant> ending = new ArrayDeque<>(0);
    ENDING.set(ending);
    try {
      for (Variant next = this; next != null; next = ending.poll()) {
        next.releaseHeld();
      }
    } finally {
      ENDING.remove();
    }
  }

  /** The description of an element in messages. */
  public static String describe(Object element) {
    return element instanceof Variant ? element.toString() : "<unknown>";
  }

  /** Returns the element with a reference more if it is such a value, for another tensor. */
  public static Object share(Object element) {
    if (element instanceof Variant variant && !variant.retain(1)) {
      throw TributaryException.internal("%s was used after its last reference ended", variant);
    }
    return element;
  }

  /** Copies an element into those of another tensor, with a reference of its own. */
  public static void put(Object[] elements, int at, Object element) {
    Object before = elements[at];
    elements[at] = share(element);
    end(before);
  }

  /** Copies some elements into those of another tensor. */
  public static void putAll(Object[] from, int fromAt, Object[] to, int toAt, int count) {
    for (int i = 0; i < count; i++) {
      put(to, toAt + i, from[fromAt + i]);
    }
  }

  /** Gives back the reference of an element that is no more. */
  public static void end(Object element) {
    if (element instanceof Variant variant && !variant.release()) {
      throw TributaryException.internal("%s was released more often than retained", variant);
    }
  }
}
