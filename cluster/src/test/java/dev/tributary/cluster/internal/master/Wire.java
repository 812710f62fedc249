package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.spec.TaskName;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The way between tasks of a test's cluster, on which things may go wrong. */
interface Wire {
  /** Makes a call of a worker, or does something else. */
  <T> CompletableFuture<T> call(
      TaskName task, String method, CallOptions options, Supplier<CompletableFuture<T>> call);

  /** Nothing goes wrong. */
  static Wire good() {
    return new Wire() {
      @Override
      public <T> CompletableFuture<T> call(
          TaskName task, String method, CallOptions options, Supplier<CompletableFuture<T>> call) {
        return call.get();
      }
    };
  }
}
