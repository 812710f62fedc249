package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A wire on which one call goes wrong. */
final class FaultyWire implements Wire {
  /** What happens to it. */
  enum Fault {
    /** The worker cannot be reached. */
    REFUSED,
    /** The worker does it, but its answer gets lost with the connection. */
    ANSWER_LOST,
    /** The worker never hears of it, and the caller not either. */
    SWALLOWED
  }

  private final Fault fault;
  private final int number;
  private final AtomicInteger calls = new AtomicInteger();

  /**
   * @param number which call it is, from 1
   */
  FaultyWire(Fault fault, int number) {
    this.fault = fault;
    this.number = number;
  }

  /** Whether it has happened. */
  boolean happened() {
    return calls.get() >= number;
  }

  @Override
  public <T> CompletableFuture<T> call(
      TaskName task, String method, CallOptions options, Supplier<CompletableFuture<T>> call) {
    if (calls.incrementAndGet() != number) {
      return call.get();
    }
    return switch (fault) {
      case REFUSED -> CompletableFuture.failedFuture(unavailable(task));
      case ANSWER_LOST -> lost(call.get(), task);
      case SWALLOWED -> swallowed(options);
    };
  }

  private static <T> CompletableFuture<T> lost(CompletableFuture<T> answer, TaskName task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    answer.whenComplete(
        (value, thrown) -> {
          if (value instanceof RunGraphResponse response) {
            response.received().stream().map(KeyedTensor::tensor).forEach(Tensor::close);
          } else if (value instanceof ReceivedTensor received) {
            received.value().ifPresent(Tensor::close);
          }
          result.completeExceptionally(unavailable(task));
        });
    return result;
  }

  /** As on a real wire, only the caller's own limits end it. */
  private static <T> CompletableFuture<T> swallowed(CallOptions options) {
    CompletableFuture<T> never = new CompletableFuture<>();
    options.timeout().ifPresent(limit -> never.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS));
    options
        .cancellation()
        .onCancel(
            () ->
                never.completeExceptionally(
                    TributaryException.derived(
                        ErrorCode.CANCELLED,
                        "cancelled",
                        options.cancellation().reason().orElseThrow())));
    CompletableFuture<T> result = new CompletableFuture<>();
    never.whenComplete(
        (value, thrown) ->
            result.completeExceptionally(
                thrown instanceof TributaryException
                    ? thrown
                    : new TributaryException(ErrorCode.DEADLINE_EXCEEDED, "timed out")));
    return result;
  }

  private static TributaryException unavailable(TaskName task) {
    return new TributaryException(ErrorCode.UNAVAILABLE, "connection to " + task + " is lost");
  }
}
