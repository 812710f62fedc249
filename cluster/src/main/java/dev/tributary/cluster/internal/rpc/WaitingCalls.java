package dev.tributary.cluster.internal.rpc;

import dev.tributary.error.TributaryException;
import io.grpc.ClientCall;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls that wait until their task can be reached, so that they can be told if it never will. Safe
 * for use by many threads.
 */
final class WaitingCalls {
  private final Map<ClientCall<?, ?>, UnaryResponse<?>> calls = new ConcurrentHashMap<>();

  /** Keeps a call until it has ended. */
  void add(ClientCall<?, ?> call, UnaryResponse<?> response) {
    calls.put(call, response);
    response.future().whenComplete((value, error) -> calls.remove(call));
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  /** Ends all of them with this error. */
  void refuse(TributaryException reason) {
    calls.forEach((call, response) -> response.end(call, reason));
  }
}
