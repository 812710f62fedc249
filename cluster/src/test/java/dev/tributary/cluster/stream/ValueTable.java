package dev.tributary.cluster.stream;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.ReceivedTensor;
import dev.tributary.cluster.protocol.RecvTensorRequest;
import dev.tributary.cluster.protocol.TensorTransport;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A sender whose values a test puts under their keys, before or after they are asked for. */
final class ValueTable implements TensorTransport {
  private static final long LIMIT_SECONDS = 20;

  private final Map<String, CompletableFuture<ReceivedTensor>> answers = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> requested = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> cancelled = new ConcurrentHashMap<>();

  @Override
  public CompletableFuture<ReceivedTensor> recvTensor(
      RecvTensorRequest request, CallOptions options) {
    String key = request.rendezvousKey();
    CompletableFuture<ReceivedTensor> answer = answer(key);
    signal(requested, key).complete(null);
    options
        .cancellation()
        .onCancel(
            () -> {
              answer.completeExceptionally(
                  TributaryException.derived(ErrorCode.CANCELLED, key + " was cancelled", null));
              signal(cancelled, key).complete(null);
            });
    return answer;
  }

  /** Hands over a value. */
  void put(String key, Tensor value) {
    if (!answer(key).complete(new ReceivedTensor(Optional.of(value), false))) {
      value.close();
    }
  }

  CompletableFuture<ReceivedTensor> answer(String key) {
    return answers.computeIfAbsent(key, k -> new CompletableFuture<>());
  }

  void forget(String key) {
    answers.remove(key);
  }

  void awaitRequest(String key) {
    signal(requested, key).orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
  }

  void awaitCancelled(String key) {
    signal(cancelled, key).orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
  }

  private static CompletableFuture<Void> signal(
      Map<String, CompletableFuture<Void>> signals, String key) {
    return signals.computeIfAbsent(key, k -> new CompletableFuture<>());
  }
}
