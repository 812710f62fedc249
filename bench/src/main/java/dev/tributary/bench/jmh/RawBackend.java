package dev.tributary.bench.jmh;

import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.plain.IntraopPool;
import dev.tributary.session.SessionOptions;

/**
 * The backend that a session with these options computes with, without the session: what it costs
 * is the limit for the kernels that call it. Owns its threads.
 */
final class RawBackend implements AutoCloseable {
  private final IntraopPool threads;
  private final Backend backend;

  RawBackend(SessionOptions options) {
    threads = new IntraopPool(options.intraOpThreads());
    backend = options.backend().backend(threads);
  }

  Backend get() {
    return backend;
  }

  @Override
  public void close() {
    threads.close();
  }
}
