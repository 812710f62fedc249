package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.LastHeard;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.TensorTransport;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.time.Ticker;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A value that another task sends, asked for or not. Whoever comes first, answer or abort, decides
 * what the receiver gets; a value that comes too late is given back. Safe for use by many threads.
 */
final class RemoteReceive {
  private final RecvTensorRequest request;
  private final Peers.RemoteTask sender;
  private final Rendezvous.Receiver receiver;
  private final TransferLog log;
  private final Ticker ticker;
  private final long startNanos;
  private final Cancellation cancellation = new Cancellation();
  private final AtomicBoolean decided = new AtomicBoolean();

  RemoteReceive(
      RecvTensorRequest request,
      Peers.RemoteTask sender,
      Rendezvous.Receiver receiver,
      TransferLog log,
      Ticker ticker) {
    this.request = request;
    this.sender = sender;
    this.receiver = receiver;
    this.log = log;
    this.ticker = ticker;
    this.startNanos = ticker.nanos();
  }

  /** Returns the way to the sender. */
  WorkerInterface sender() {
    return sender.worker();
  }

  /** Sends the request; {@code onEnd} is called when it has been answered, one way or the other. */
  void start(TensorTransport from, Runnable onEnd) {
    long startMicros = log.isEnabled() ? nowMicros() : 0;
    from.recvTensor(request, CallOptions.cancelledBy(cancellation))
        .whenComplete(
            (answer, failure) -> {
              onEnd.run();
              if (failure == null) {
                received(answer, startMicros);
              } else {
                failed(failure);
              }
            });
  }

  /** Gives up if it has taken longer than this. */
  void expire(Duration limit) {
    if (ticker.nanos() - startNanos > limit.toNanos()) {
      abort(
          new TributaryException(
              ErrorCode.DEADLINE_EXCEEDED,
              String.format(
                  "%s: no value within %s; check what delays that task's part of step %d, or wait"
                      + " longer (TimeLimits.transfer, --transfer-timeout)",
                  this, TimeText.of(limit), request.stepId())));
    }
  }

  void abort(RuntimeException reason) {
    if (decided.compareAndSet(false, true)) {
      receiver.failed(reason);
    }
    cancellation.cancel(reason);
  }

  private void received(ReceivedTensor answer, long startMicros) {
    if (answer.requireAck()) {
      sender.worker().markRecvFinished(request.requestId(), CallOptions.defaults());
    }
    if (log.isEnabled() && startMicros != 0) {
      long bytes = answer.value().map(Tensor::byteSize).orElse(0L);
      log.add(request.stepId(), request.key(), bytes, startMicros, nowMicros());
    }
    if (decided.compareAndSet(false, true)) {
      receiver.received(answer.value());
    } else {
      answer.value().ifPresent(Tensor::close);
    }
  }

  private void failed(Throwable failure) {
    if (decided.compareAndSet(false, true)) {
      receiver.failed(
          located(failure instanceof CompletionException ? failure.getCause() : failure));
    }
  }

  private TributaryException located(Throwable failure) {
    String where = where();
    return failure instanceof TributaryException
        ? ((TributaryException) failure).at(where)
        : new TributaryException(ErrorCode.INTERNAL, where + ": " + failure, failure);
  }

  private String where() {
    return "RecvTensor of '" + request.key().tensorName() + "' from " + sender.task();
  }

  /** Describes the value, the time it was waited for, and when its sender was last heard from. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s (key %s) since %.1f s, last heard from %s",
        where(),
        request.key(),
        (ticker.nanos() - startNanos) / 1e9,
        LastHeard.text(sender.lastHeard().get()));
  }

  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
