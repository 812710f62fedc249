package dev.tributary.internal.step;

import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * A step's own references to what it is fed, so that the client may close its tensors while the
 * step runs. For those who write sessions.
 */
public record HeldFeeds(List<Tensor> tensors) {
  /** Takes a reference to each tensor, to be given back by one {@link #release}. */
  public static HeldFeeds hold(List<Tensor> tensors) {
    List<Tensor> held = new ArrayList<>(tensors.size());
    try {
      for (int i = 0; i < tensors.size(); i++) {
        held.add(SharedTensors.share(tensors.get(i)));
      }
      return new HeldFeeds(held);
    } catch (RuntimeException e) {
      held.forEach(Tensor::close);
      throw e;
    }
  }

  /** Gives back what was held. */
  public void release() {
    tensors.forEach(Tensor::close);
  }
}
