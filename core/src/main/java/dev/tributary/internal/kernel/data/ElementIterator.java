package dev.tributary.internal.kernel.data;

/** One pass over a dataset. It is asked for one element at a time. */
interface ElementIterator extends AutoCloseable {
  /**
   * Asks for the next element, after the request before was answered. The receiver may be called
   * before this returns; it does not ask for another element from inside of such a call unless a
   * {@link Turns} keeps that from recursion. After the end every request is answered with the end.
   * It throws nothing: a failure is an answer, too.
   */
  void next(ElementReceiver receiver);

  /**
   * Writes down where the pass is. Called while no request is open and the {@link BackgroundWork}
   * of the pipeline is halted.
   */
  void save(StateWriter writer);

  /** Goes to where another pass over the same dataset was. Called before the first request. */
  void restore(StateReader reader);

  /** Elements that wait for the consumer, roughly: it may be asked while the pass goes on. */
  default long buffered() {
    return 0;
  }

  /** The most elements that may wait, or 0 if none ever does. */
  default long capacity() {
    return 0;
  }

  /** Gives back what the pass holds. Called once, while no request is open. */
  @Override
  default void close() {}
}
