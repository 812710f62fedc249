package dev.tributary.internal.tensor;

import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * TensorFlow's optional, which a variant tensor can hold: some tensors, or nothing. It has a
 * reference to each of them. Immutable.
 */
public final class OptionalTensors extends Variant {
  /** The name of such a value in TensorFlow's messages. */
  public static final String TYPE_NAME = "tensorflow::data::Optional";

  private final Optional<List<Tensor>> components;
  private final int levels;

  private OptionalTensors(Optional<List<Tensor>> components, int levels) {
    this.components = components;
    this.levels = levels;
  }

  public static OptionalTensors none() {
    return new OptionalTensors(Optional.empty(), 1);
  }

  /** These tensors, whose references go over to the optional unless this fails. */
  public static OptionalTensors of(List<Tensor> components) {
    int levels = levelsAround(components);
    return new OptionalTensors(
        Optional.of(components.stream().map(SharedTensors::take).toList()), levels);
  }

  /** Levels of variants in one that is to hold these tensors; fails if they are too many. */
  static int levelsAround(List<Tensor> components) {
    int levels = 1;
    for (Tensor component : components) {
      if (component.type() == DataType.VARIANT) {
        levels = Math.max(levels, levelsAround(component.objects()));
      }
    }
    return levels;
  }

  /** The tensors, borrowed: valid for as long as the optional is. */
  public Optional<List<Tensor>> components() {
    return components;
  }

  @Override
  protected int levels() {
    return levels;
  }

  @Override
  protected void releaseHeld() {
    components.ifPresent(all -> all.forEach(Tensor::close));
  }

  @Override
  public String toString() {
    return "Optional" + components.map(List::toString).orElse("[]");
  }
}
