package dev.tributary.internal.tensor;

import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * A tensor in an element of a variant tensor, as elements of datasets hold the parts of sparse
 * tensors. It has a reference to the tensor. Immutable.
 */
public final class HeldTensor extends Variant {
  /** The name of such a value in TensorFlow's messages. */
  public static final String TYPE_NAME = "tensorflow::Tensor";

  private final Tensor tensor;
  private final int levels;

  private HeldTensor(Tensor tensor, int levels) {
    this.tensor = tensor;
    this.levels = levels;
  }

  /** A tensor whose reference goes over to this value unless this fails. */
  public static HeldTensor of(Tensor tensor) {
    int levels = OptionalTensors.levelsAround(List.of(tensor));
    return new HeldTensor(SharedTensors.take(tensor), levels);
  }

  /** The tensor, borrowed: valid for as long as this value is. */
  public Tensor tensor() {
    return tensor;
  }

  @Override
  protected int levels() {
    return levels;
  }

  @Override
  protected void releaseHeld() {
    tensor.close();
  }

  @Override
  public String toString() {
    return tensor.toString();
  }
}
