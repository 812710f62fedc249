package dev.tributary.session;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * A step's own references to what it is fed, so that the client may close its tensors while the
 * step runs. For those who write sessions.
 */
public record HeldFeeds(List<Tensor> tensors) {
  /** Takes a reference to each tensor, to be given back by one {@link #release}. */
  public static HeldFeeds hold(List<Tensor> tensors) {
    tensors.forEach(Tensor::retain);
    return new HeldFeeds(List.copyOf(tensors));
  }

  /** Gives back what was held. A feed that the client closed too often is a failure of the step. */
  public Optional<RuntimeException> release() {
    Optional<RuntimeException> problem = Optional.empty();
    for (Tensor tensor : tensors) {
      try {
        tensor.close();
      } catch (TributaryException e) {
        problem = Optional.of(e);
      }
    }
    return problem;
  }
}
