package dev.tributary.app.digits;

/** Is told of each step of a training; closed at its end. Confined to one thread. */
interface Progress extends AutoCloseable {
  void step(int step, float loss);

  @Override
  default void close() {}
}
