package dev.tributary.cluster.internal.stream;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.tensorflow.proto.StepStats;

/**
 * A task whose values a test puts under their keys, before or after they are asked for. Steps give
 * back what they are fed.
 */
final class ValueTable implements StepTransport {
  private static final long LIMIT_SECONDS = 20;

  private final Map<String, CompletableFuture<ReceivedTensor>> answers = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> requested = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> cancelled = new ConcurrentHashMap<>();
  private final BlockingQueue<PushTensorRequest> pushed = new LinkedBlockingQueue<>();
  private final BlockingQueue<TributaryException> lost = new LinkedBlockingQueue<>();
  private final BlockingQueue<RunGraphRequest> ran = new LinkedBlockingQueue<>();

  @Override
  public CompletableFuture<ReceivedTensor> recvTensor(
      RecvTensorRequest request, CallOptions options) {
    String key = request.key().toString();
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

  @Override
  public CompletableFuture<RunGraphResponse> runGraph(
      RunGraphRequest request, CallOptions options) {
    ran.add(request);
    List<KeyedTensor> received =
        request.send().stream()
            .map(value -> new KeyedTensor(request.recvKeys().get(0), value.tensor().retain()))
            .toList();
    return CompletableFuture.completedFuture(
        new RunGraphResponse(received, StepStats.getDefaultInstance(), List.of()));
  }

  @Override
  public CompletableFuture<Void> pushTensor(PushTensorRequest request, CallOptions options) {
    request.value().ifPresent(Tensor::retain);
    pushed.add(request);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void lostTensor(PushTensorRequest request, TributaryException reason) {
    lost.add(reason);
  }

  /** Why the next value that was pushed here did not get through. */
  TributaryException awaitLost() throws InterruptedException {
    return Optional.ofNullable(lost.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).orElseThrow();
  }

  /** The next value that was pushed here, which the caller closes. */
  PushTensorRequest awaitPushed() throws InterruptedException {
    return Optional.ofNullable(pushed.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).orElseThrow();
  }

  /** Closes the values that were pushed here and that nobody has taken. */
  void dropPushed() {
    for (PushTensorRequest next = pushed.poll(); next != null; next = pushed.poll()) {
      next.value().ifPresent(Tensor::close);
    }
  }

  /** The next step that was run here; its tensors are gone. */
  RunGraphRequest awaitRun() throws InterruptedException {
    return Optional.ofNullable(ran.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).orElseThrow();
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
