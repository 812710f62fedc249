package dev.tributary.internal.kernel.data;

import dev.tributary.internal.memory.ElementHeap;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Answers that wait for a consumer, counted in the heap of their pipeline. Guarded by its owner.
 */
final class AnswerBuffer {
  /**
   * An answer in the buffer.
   *
   * @param heapBytes what is counted for it
   */
  private record Kept(Answer answer, long heapBytes) {}

  private final ElementHeap heap;
  private final Deque<Kept> kept = new ArrayDeque<>();

  AnswerBuffer(ElementHeap heap) {
    this.heap = heap;
  }

  /** Adds an answer, and returns whether there was heap for it: without, there is none for more. */
  boolean add(Answer answer) {
    long bytes = ElementHeap.ofElement(answer.element() == null ? 0 : answer.element().length);
    boolean isCounted = heap.tryTake(bytes);
    kept.add(new Kept(answer, isCounted ? bytes : 0));
    return isCounted;
  }

  /** The next answer, or null if there is none. */
  Answer poll() {
    Kept next = kept.poll();
    if (next == null) {
      return null;
    }
    heap.giveBack(next.heapBytes());
    return next.answer();
  }

  int size() {
    return kept.size();
  }

  void dropAll() {
    for (Answer answer = poll(); answer != null; answer = poll()) {
      answer.drop();
    }
  }

  void save(StateWriter writer) {
    writer.number(kept.size());
    kept.forEach(each -> each.answer().save(writer));
  }

  void restore(StateReader reader) {
    int count = reader.count();
    for (int i = 0; i < count; i++) {
      add(Answer.restored(reader));
    }
  }
}
