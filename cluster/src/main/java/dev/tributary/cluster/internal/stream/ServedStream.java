package dev.tributary.cluster.internal.stream;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.time.Timer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The served end of one connection. One thread reads requests and hands them to the worker; whoever
 * has an answer writes it. When the connection ends, all that was asked through it is cancelled.
 * Safe for use by many threads.
 */
final class ServedStream implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServedStream.class);

  private final StreamChannel requests;
  private final StreamInput in;
  private final StepTransport worker;
  private final Consumer<ServedStream> onEnd;
  private final StreamOutput answers;
  private final Map<Long, Cancellation> asked = new ConcurrentHashMap<>();
  private final List<StallWatch> stalls;
  private final AtomicBoolean ended = new AtomicBoolean();

  ServedStream(
      StreamChannel requests,
      StreamInput in,
      StreamChannel answers,
      StepTransport worker,
      TaskMemory memory,
      Timer timer,
      Consumer<ServedStream> onEnd)
      throws IOException {
    this.requests = requests;
    this.in = in;
    this.worker = worker;
    this.onEnd = onEnd;
    this.answers =
        new StreamOutput(answers, "its caller", memory, broken -> end(broken.toString()));
    Runnable onStall = () -> end("it has stopped in the middle of a message");
    this.stalls =
        List.of(
            new StallWatch(timer, in::position, onStall),
            new StallWatch(timer, this.answers::position, onStall));
  }

  /**
   * Serves until the connection ends.
   *
   * @param shared whether large tensors go through shared memory
   */
  void serve(boolean shared) {
    try {
      // Written before any answer can be, and so before the caller's large tensors come this way.
      answers.write(OutgoingMessage.of(shared ? Handshake.SHARED : Handshake.NOT_SHARED));
      if (shared) {
        answers.share();
      }
      while (true) {
        serve(Requests.read(in));
      }
    } catch (IOException | RuntimeException e) {
      end(e.toString());
    }
  }

  private void serve(Requests asking) {
    if (asking instanceof Requests.Receive receive) {
      answer(
          asking,
          options -> worker.recvTensor(receive.request(), options),
          value -> new Answer.Value(asking.call(), value));
    } else if (asking instanceof Requests.Run run) {
      answer(
          asking,
          options -> worker.runGraph(run.request(), options),
          response -> new Answer.Ran(asking.call(), response));
    } else if (asking instanceof Requests.Push push) {
      take(push);
    } else if (asking instanceof Requests.Refused refused) {
      refuse(refused);
    } else {
      Cancellation known = asked.get(asking.call());
      if (known != null) {
        known.cancel(cancelled("was cancelled by its caller"));
      }
    }
  }

  private <T> void answer(
      Requests asking,
      Function<CallOptions, CompletableFuture<T>> call,
      Function<T, Answer> toAnswer) {
    Cancellation cancellation = new Cancellation();
    asked.put(asking.call(), cancellation);
    if (ended.get()) {
      cancellation.cancel(cancelled("came through a stream that has ended"));
    }
    call.apply(CallOptions.cancelledBy(cancellation))
        .whenComplete(
            (result, failure) -> {
              asked.remove(asking.call());
              asking.release();
              send(failure == null ? toAnswer.apply(result) : failed(asking.call(), failure));
            });
  }

  /** Nobody waits for an answer: whoever misses the value learns why from its step's master. */
  private void take(Requests.Push push) {
    worker
        .pushTensor(push.request(), CallOptions.defaults())
        .whenComplete(
            (done, failure) -> {
              push.release();
              if (failure != null) {
                LOG.debug("a value of step {} is not taken", push.request().stepId(), failure);
              }
            });
  }

  /** The caller of a push does not wait, but the step that misses the value does. */
  private void refuse(Requests.Refused refused) {
    if (refused.asked() instanceof Requests.Push push) {
      worker.lostTensor(push.request(), refused.reason());
    } else {
      send(failed(refused.call(), refused.reason()));
    }
  }

  private void send(Answer answer) {
    try {
      answers.write(encoded(answer, answers.slots()));
    } finally {
      answer.release();
    }
  }

  private static OutgoingMessage encoded(Answer answer, Optional<OutgoingSlots> slots) {
    try {
      return answer.encode(slots);
    } catch (RuntimeException e) {
      return failed(answer.call(), e).encode(Optional.empty());
    }
  }

  private static Answer failed(long call, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return new Answer.Failed(
        call,
        cause instanceof TributaryException
            ? (TributaryException) cause
            : TributaryException.internal("a call through a stream: %s", cause));
  }

  @Override
  public void close() {
    end("the server stops");
  }

  private void end(String why) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    stalls.forEach(StallWatch::close);
    try {
      requests.close();
    } catch (IOException e) {
      // Nobody uses it any more, either way.
    }
    answers.close();
    in.slots().close();
    List.copyOf(asked.values())
        .forEach(cancellation -> cancellation.cancel(cancelled("lost its caller: " + why)));
    onEnd.accept(this);
  }

  private static TributaryException cancelled(String how) {
    return TributaryException.derived(ErrorCode.CANCELLED, "the call " + how, null);
  }
}
