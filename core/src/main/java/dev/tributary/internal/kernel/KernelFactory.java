package dev.tributary.internal.kernel;

import dev.tributary.internal.kernel.loop.ElementLoop;
import java.util.Optional;

/**
 * Makes the kernel of a node, once for a compiled graph. Bad attributes are found here, before any
 * step runs.
 */
@FunctionalInterface
public interface KernelFactory {
  Kernel create(KernelNode node);

  /** The loop that is all these kernels do, if they do no more than apply one to their inputs. */
  default Optional<ElementLoop> loop() {
    return Optional.empty();
  }

  /** A factory of kernels that only apply a loop. */
  static KernelFactory ofLoop(ElementLoop loop, KernelFactory factory) {
    return new KernelFactory() {
      @Override
      public Kernel create(KernelNode node) {
        return factory.create(node);
      }

      @Override
      public Optional<ElementLoop> loop() {
        return Optional.of(loop);
      }
    };
  }
}
