package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One call through the {@link Network}, as gRPC would make it: it ends for the caller with the
 * answer, when it is cancelled, when its time is over, or with its connection; the callee is
 * cancelled then. Both sides have their own references to the tensors of a request.
 */
final class Call {
  /** After this a connection on which nothing moves is found dead. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

  private static final Duration RECONNECT = Duration.ofMillis(500);

  private final Network network;
  private final Life from;
  private final Network.Address address;
  private final Method method;
  private final Object[] arguments;
  private final CallOptions options;
  private final CompletableFuture<Object> answer = new CompletableFuture<>();
  private final Cancellation remote = new Cancellation();
  private final Runnable onCancel = () -> soon("cancels", this::cancelledByCaller);
  private Optional<Scheduler.Alarm> deadline = Optional.empty();
  private Optional<Life> callee = Optional.empty();
  private boolean over;
  private boolean broken;
  private boolean handled;

  Call(
      Network network,
      Life from,
      Network.Address address,
      Method method,
      Object[] arguments,
      CallOptions options) {
    this.network = network;
    this.from = from;
    this.address = address;
    this.method = method;
    this.arguments = arguments;
    this.options = options;
  }

  CompletableFuture<Object> answer() {
    return answer;
  }

  boolean isOf(Life life) {
    return from == life || callee.isPresent() && callee.get() == life;
  }

  boolean isBetween(String caller, String called) {
    return from.place().equals(caller) && address.toString().equals(called);
  }

  void begin() {
    MessageTensors.retain(arguments);
    options.cancellation().onCancel(onCancel);
    deadline =
        options.timeout().map(t -> network.scheduler.after(t, label("is late"), this::expired));
    connect();
  }

  /** The connection is gone, or one of the processes. */
  void breakOff() {
    broken = true;
    later("breaks", () -> end(unavailable("the connection broke")));
    cancelRemote();
  }

  private void connect() {
    Optional<Network.Endpoint> endpoint =
        from.isOver() || network.isCut(from.place(), address.toString())
            ? Optional.empty()
            : address.endpoint();
    if (over) {
      MessageTensors.release(arguments);
    } else if (endpoint.isPresent()) {
      send(endpoint.get());
    } else if (options.waitForReady() && !from.isOver()) {
      network.scheduler.after(RECONNECT, label("waits"), this::connect);
    } else {
      later("finds nobody", () -> lost("cannot be reached"));
    }
  }

  private void send(Network.Endpoint endpoint) {
    callee = Optional.of(endpoint.life());
    switch (network.fate()) {
      case ARRIVES -> later("arrives", () -> deliver(endpoint, false));
      case ANSWER_LOST -> later("arrives", () -> deliver(endpoint, true));
      case REQUEST_LOST -> later("is lost", () -> lost("the connection broke"));
      case STALLED ->
          network.scheduler.after(KEEP_ALIVE, label("stalled"), () -> lost("does not answer"));
    }
  }

  private void lost(String why) {
    MessageTensors.release(arguments);
    end(unavailable(why));
  }

  private void deliver(Network.Endpoint endpoint, boolean answerIsLost) {
    // A request that the caller has given up may still be on its way, or not.
    if (broken || endpoint.life().isOver() || over && network.random.nextBoolean()) {
      lost("the connection broke");
      return;
    }
    handled = true;
    handle(endpoint.service())
        .whenComplete(
            (response, thrown) -> {
              MessageTensors.release(arguments);
              if (answerIsLost || endpoint.life().isOver()) {
                MessageTensors.release(response);
                later("answer is lost", () -> end(unavailable("the connection broke")));
              } else {
                later("is answered", () -> answered(response, thrown));
              }
            });
    if (over) {
      cancelRemote();
    }
  }

  private CompletableFuture<?> handle(Object service) {
    Object[] received = arguments.clone();
    received[received.length - 1] = CallOptions.cancelledBy(remote);
    try {
      return (CompletableFuture<?>) method.invoke(service, received);
    } catch (InvocationTargetException e) {
      return CompletableFuture.failedFuture(e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private void answered(Object response, Throwable thrown) {
    if (over || broken) {
      MessageTensors.release(response);
    } else if (thrown != null) {
      end(thrown instanceof CompletionException ? thrown.getCause() : thrown);
    } else {
      close();
      answer.complete(response);
    }
  }

  private void cancelledByCaller() {
    end(TributaryException.derived(ErrorCode.CANCELLED, method.getName() + " was cancelled", null));
    cancelRemote();
  }

  private void expired() {
    end(new TributaryException(ErrorCode.DEADLINE_EXCEEDED, address + " did not answer in time"));
    cancelRemote();
  }

  private void cancelRemote() {
    if (handled) {
      later(
          "is cancelled",
          () ->
              remote.cancel(
                  TributaryException.derived(
                      ErrorCode.CANCELLED,
                      method.getName() + " was cancelled by its caller",
                      null)));
    }
  }

  private void end(Throwable failure) {
    if (!over) {
      close();
      answer.completeExceptionally(failure);
    }
  }

  private void close() {
    over = true;
    deadline.ifPresent(Scheduler.Alarm::cancel);
    options.cancellation().forget(onCancel);
    network.forget(this);
  }

  private TributaryException unavailable(String why) {
    return new TributaryException(ErrorCode.UNAVAILABLE, address + ": " + why);
  }

  private void soon(String what, Runnable task) {
    network.scheduler.soon(label(what), task);
  }

  private void later(String what, Runnable task) {
    network.scheduler.after(network.delay(), label(what), task);
  }

  private String label(String what) {
    return from + " -> " + address + " " + method.getName() + " " + what;
  }
}
