package dev.tributary.cluster.internal.protocol;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.time.Timer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Options of a call.
 *
 * @param cancellation ends the call early, on both sides; the future then fails with CANCELLED
 * @param timeout after which the call fails with DEADLINE_EXCEEDED
 * @param waitForReady whether a task that cannot be reached is waited for, rather than being
 *     UNAVAILABLE at once
 * @param caller the address of the caller, on the side that serves a call from another process
 */
public record CallOptions(
    Cancellation cancellation,
    Optional<Duration> timeout,
    boolean waitForReady,
    Optional<SocketAddress> caller) {

  /** Fails at once if the task cannot be reached, has no time limit and is never cancelled. */
  public static CallOptions defaults() {
    return new CallOptions(new Cancellation(), Optional.empty(), false, Optional.empty());
  }

  public static CallOptions cancelledBy(Cancellation cancellation) {
    return new CallOptions(cancellation, Optional.empty(), false, Optional.empty());
  }

  public CallOptions within(Duration limit) {
    return new CallOptions(cancellation, Optional.of(limit), waitForReady, caller);
  }

  public CallOptions waitingForReady() {
    return new CallOptions(cancellation, timeout, true, caller);
  }

  public CallOptions from(SocketAddress address) {
    return new CallOptions(cancellation, timeout, waitForReady, Optional.ofNullable(address));
  }

  /**
   * Ends a call early when its caller cancels it or its timeout is over, until it is answered.
   *
   * @param name of the call in the error's text
   * @param onEarlyEnd called at most once, with the error that the caller gets
   */
  public void watch(
      Timer timer,
      Supplier<String> name,
      CompletableFuture<?> answer,
      Consumer<RuntimeException> onEarlyEnd) {
    if (answer.isDone()) {
      return;
    }
    CallScope scope =
        new CallScope(
            timer,
            reason ->
                onEarlyEnd.accept(isOfCaller(reason) ? cancelled(name.get(), reason) : reason));
    scope.follow(cancellation).within(timeout, name);
    answer.whenComplete((value, thrown) -> scope.close());
  }

  /** The caller, as logs name it: {@code 10.0.0.7:40312}, or {@code this process}. */
  public String callerName() {
    return caller
        .map(
            address ->
                address instanceof InetSocketAddress internet
                    ? internet.getHostString() + ":" + internet.getPort()
                    : address.toString())
        .orElse("this process");
  }

  private boolean isOfCaller(RuntimeException reason) {
    return cancellation.reason().filter(given -> given == reason).isPresent();
  }

  private static TributaryException cancelled(String name, RuntimeException reason) {
    return TributaryException.derived(
        ErrorCode.CANCELLED, name + " was cancelled: " + reason.getMessage(), reason);
  }
}
