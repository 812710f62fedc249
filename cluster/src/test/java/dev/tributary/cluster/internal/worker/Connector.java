package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.WorkerInterface;

/** How workers of a test are reached. */
interface Connector extends AutoCloseable {
  WorkerInterface connect(Worker local);

  @Override
  void close();

  /** Without a wire. */
  static Connector inProcess() {
    return new Connector() {
      @Override
      public WorkerInterface connect(Worker local) {
        return local;
      }

      @Override
      public void close() {}
    };
  }
}
