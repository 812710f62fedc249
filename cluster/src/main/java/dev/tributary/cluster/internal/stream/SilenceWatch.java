package dev.tributary.cluster.internal.stream;

import dev.tributary.error.TributaryException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Looks after calls to one task while they wait. A stream to a process that hangs does not break,
 * so whoever hears the task otherwise has to say that it is silent.
 */
@FunctionalInterface
public interface SilenceWatch {
  /**
   * Watches until the call is done.
   *
   * @param method what errors call it
   * @param end is told why to give up, if the task falls silent; may be called again
   */
  void watch(CompletableFuture<?> call, String method, Consumer<TributaryException> end);
}
