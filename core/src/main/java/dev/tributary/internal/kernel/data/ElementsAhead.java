package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;

/** Elements that were read from files and wait for their consumer. Confined to one thread. */
final class ElementsAhead {
  private static final int MOST = 64;
  private static final long MOST_BYTES = 1 << 20;

  private final Deque<Tensor[]> elements = new ArrayDeque<>();

  /** Adds some elements, and returns whether there may be more. */
  boolean fill(Supplier<Optional<Tensor[]>> reader) {
    long bytes = 0;
    while (elements.size() < MOST && bytes < MOST_BYTES) {
      Optional<Tensor[]> next = reader.get();
      if (next.isEmpty()) {
        return false;
      }
      elements.add(next.get());
      bytes += bytes(next.get());
    }
    return true;
  }

  static long bytes(Tensor[] element) {
    long bytes = 0;
    for (Tensor component : element) {
      bytes += component.byteSize();
    }
    return bytes;
  }

  boolean isEmpty() {
    return elements.isEmpty();
  }

  /** The next element, or null if there is none. */
  Tensor[] poll() {
    return elements.poll();
  }

  void close() {
    elements.forEach(Elements::close);
    elements.clear();
  }
}
