package dev.tributary.internal.tensor;

import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** The state of an iterator, in a variant tensor: tensors that only the stages can read. */
public final class IteratorState extends Variant {
  /** The name of such a value in TensorFlow's messages. */
  public static final String TYPE_NAME = "tensorflow::Iterator";

  /** Tells this form of the state from TensorFlow's, whose stages and keys are its own. */
  public static final String FORM = "tributary-1";

  private final List<Tensor> tensors;
  private final int levels;

  private IteratorState(List<Tensor> tensors, int levels) {
    this.tensors = tensors;
    this.levels = levels;
  }

  /** These tensors, whose references go over to the state unless this fails. */
  public static IteratorState of(List<Tensor> tensors) {
    int levels = OptionalTensors.levelsAround(tensors);
    return new IteratorState(tensors.stream().map(SharedTensors::take).toList(), levels);
  }

  /** The tensors, borrowed: valid for as long as the state is. */
  public List<Tensor> tensors() {
    return tensors;
  }

  @Override
  protected int levels() {
    return levels;
  }

  @Override
  protected void releaseHeld() {
    tensors.forEach(Tensor::close);
  }

  @Override
  public String toString() {
    return "state of an iterator, " + tensors.size() + " tensors";
  }
}
