package dev.tributary.internal.tensor;

import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * TensorFlow's ragged tensor in an element of a variant tensor: row splits from the outermost on,
 * and the values. It has a reference to each of them. Immutable.
 */
public final class RaggedTensors extends Variant {
  /** The name of such a value in TensorFlow's messages. */
  public static final String TYPE_NAME = "RaggedTensorVariant";

  private final List<Tensor> components;
  private final int levels;

  private RaggedTensors(List<Tensor> components, int levels) {
    this.components = components;
    this.levels = levels;
  }

  /** Row splits and then the values, whose references go over to this value unless this fails. */
  public static RaggedTensors of(List<Tensor> components) {
    int levels = OptionalTensors.levelsAround(components);
    return new RaggedTensors(components.stream().map(SharedTensors::take).toList(), levels);
  }

  /** Row splits and then the values, borrowed: valid for as long as this value is. */
  public List<Tensor> components() {
    return components;
  }

  /** The number of row splits. */
  public int depth() {
    return components.size() - 1;
  }

  public Tensor splits(int i) {
    return components.get(i);
  }

  public Tensor values() {
    return components.get(depth());
  }

  @Override
  protected int levels() {
    return levels;
  }

  @Override
  protected void releaseHeld() {
    components.forEach(Tensor::close);
  }

  @Override
  public String toString() {
    return "Ragged" + components;
  }
}
