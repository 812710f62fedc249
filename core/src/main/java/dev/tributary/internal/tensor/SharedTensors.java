package dev.tributary.internal.tensor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Hold;
import dev.tributary.internal.memory.LentStorage;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.memory.ObjectStorage;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The runtime's side of tensors: not for programs that build and run graphs.
 *
 * <p>Inside the runtime one {@link Tensor} object passes through many hands. Each has a reference
 * that it counts itself: {@link Tensor#retain} takes another and returns the same object, each
 * {@link Tensor#close} gives one back, and one close too many is a bug. Such a tensor is
 * <em>shared</em>. Programs never see one: what they get is a tensor of their own, which holds one
 * reference and closes once. The methods here lead from one side to the other, without a copy of
 * the elements.
 */
public final class SharedTensors {
  private SharedTensors() {}

  /** A shared tensor with one reference and undefined contents (strings: all absent). */
  public static Tensor allocate(Allocator allocator, DataType type, Shape shape) {
    return Tensor.allocateShared(allocator, type, shape);
  }

  /** A shared tensor with one reference, whose bytes are all zero; strings are empty. */
  public static Tensor zeros(Allocator allocator, DataType type, Shape shape) {
    return take(Tensor.zeros(allocator, type, shape));
  }

  /**
   * A shared tensor over memory of another owner, who has filled it and does not change it until
   * {@code onRelease} reports that the last reference is gone.
   *
   * @param address a multiple of 64
   */
  public static Tensor over(DataType type, Shape shape, long address, Runnable onRelease) {
    if (type.isObject() || !type.isSupported() || shape.elementCount() < 0) {
      throw TributaryException.invalidArgument(
          "no memory holds a %s tensor of shape %s", type.lowerName(), shape);
    }
    return Tensor.over(type, shape, new LentStorage(address, onRelease));
  }

  /** The shared form with a reference of its own; the caller keeps the one it has. */
  public static Tensor share(Tensor tensor) {
    Hold<Tensor> hold = tensor.hold();
    return hold != null ? hold.share() : tensor.retain();
  }

  /** The shared form with the caller's reference, which the caller gives up. */
  public static Tensor take(Tensor tensor) {
    Hold<Tensor> hold = tensor.hold();
    return hold != null ? hold.take() : tensor;
  }

  /**
   * Counts the elements of a string tensor until its last reference is gone, unless somebody does
   * already; RESOURCE_EXHAUSTED if they do not fit. Other tensors are the business of their
   * allocators.
   */
  public static void countStrings(Tensor tensor, MemoryBudget budget) {
    if (tensor.type() == DataType.STRING) {
      strings(tensor).countStrings(budget);
    }
  }

  /** Returns the bytes of a tensor with those of its strings, as far as a budget counts them. */
  public static long countedBytes(Tensor tensor) {
    return tensor.type() == DataType.STRING && !tensor.isClosed()
        ? strings(tensor).countedBytes()
        : tensor.byteSize();
  }

  private static ObjectStorage strings(Tensor tensor) {
    Hold<Tensor> hold = tensor.hold();
    return (ObjectStorage) (hold != null ? hold.shared() : tensor).storage();
  }

  /** Takes this many references to a shared tensor at once, for as many holders to close. */
  public static void retain(Tensor shared, int count) {
    if (!shared.storage().retain(count)) {
      throw TributaryException.internal(
          "%s was retained after its last reference was released", shared);
    }
  }

  /**
   * A tensor for a program to close; it takes over the reference of {@code tensor}.
   *
   * @param origin names in error messages where the tensor comes from
   */
  public static Tensor handOut(Tensor tensor, Object origin) {
    return held(take(tensor), origin, false);
  }

  /**
   * A tensor with a reference of its own that anybody may close without effect: it lives until
   * {@link #endLoan}.
   *
   * @param origin names in error messages where the tensor comes from
   */
  public static Tensor lend(Tensor tensor, Object origin) {
    return held(share(tensor), origin, true);
  }

  /** The shared tensor to which a tensor that {@link #lend} made has a reference. */
  public static Tensor behind(Tensor lent) {
    return lent.hold().shared();
  }

  /** Gives back the reference of a tensor that {@link #lend} made. */
  public static void endLoan(Tensor lent) {
    lent.hold().giveBack();
  }

  private static Tensor held(Tensor shared, Object origin, boolean isLent) {
    return Tensor.held(new Hold<>(shared, shared.storage(), origin, isLent));
  }
}
