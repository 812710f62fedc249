package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.time.Timer;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/**
 * The caller's end of one connection. Callers write their requests themselves; one thread reads the
 * answers. When the connection breaks, all that was asked through it is UNAVAILABLE. Its own
 * monitor guards the calls.
 */
final class StreamConnection implements AutoCloseable {
  private record Call<T>(Class<T> type, CompletableFuture<T> answer) {
    boolean complete(Object result) {
      return answer.complete(type.cast(result));
    }
  }

  private final String peer;
  private final StreamChannel answers;
  private final StreamInput in;
  private final StreamOutput requests;
  private final Timer timer;
  private final List<StallWatch> stalls;

  /** Completes when the other side has let it in. */
  private final CompletableFuture<Void> greeting = new CompletableFuture<>();

  @GuardedBy("this")
  private final Map<Long, Call<?>> calls = new HashMap<>();

  @GuardedBy("this")
  private long lastCall;

  @GuardedBy("this")
  private boolean closed;

  private StreamConnection(
      String peer, StreamChannel requests, StreamChannel answers, TaskMemory memory, Timer timer)
      throws IOException {
    this.peer = peer;
    this.timer = timer;
    this.answers = answers;
    this.in = new StreamInput(answers, memory);
    this.requests = new StreamOutput(requests, peer, memory, broken -> end(broken.toString()));
    Runnable onStall = () -> end("the other side has stopped in the middle of a message");
    this.stalls =
        List.of(
            new StallWatch(timer, in::position, onStall),
            new StallWatch(timer, this.requests::position, onStall));
  }

  /**
   * Connects to a task of this machine; fails at once where the socket is not of this machine.
   *
   * @param peer what errors call the other task
   * @param memory takes the values that come, and counts those that go
   * @param timer ends calls that take too long
   */
  static StreamConnection open(String peer, StreamEndpoint endpoint, TaskMemory memory, Timer timer)
      throws IOException {
    long id = Handshake.newId();
    StreamChannel answers = endpoint.open(Handshake.Role.ANSWERS, id, Optional.empty());
    Optional<Path> probe = SharedFolder.probe();
    try {
      StreamChannel requests = endpoint.open(Handshake.Role.REQUESTS, id, probe);
      return begin(new StreamConnection(peer, requests, answers, memory, timer), probe);
    } catch (IOException e) {
      answers.close();
      SharedFolder.drop(probe);
      throw e;
    }
  }

  /**
   * Connects to a task over the network. Waits until it has let the connection in: what listens at
   * the port may be anything.
   */
  static StreamConnection open(
      String peer, NetworkEndpoint endpoint, NetworkRoute route, TaskMemory memory, Timer timer)
      throws IOException {
    StreamChannel answers = route.open(endpoint, Handshake.Role.ANSWERS, timer);
    StreamConnection connection;
    try {
      StreamChannel requests = route.open(endpoint, Handshake.Role.REQUESTS, timer);
      connection =
          begin(new StreamConnection(peer, requests, answers, memory, timer), Optional.empty());
    } catch (IOException | RuntimeException e) {
      answers.close();
      throw e;
    }
    return connection.awaitGreeting();
  }

  private static StreamConnection begin(StreamConnection connection, Optional<Path> probe) {
    StreamThreads.start("values", () -> connection.readAnswers(probe));
    return connection;
  }

  private StreamConnection awaitGreeting() throws IOException {
    try {
      greeting.get(NetworkRoute.GREETING.toMillis(), TimeUnit.MILLISECONDS);
      return this;
    } catch (ExecutionException | TimeoutException e) {
      end("no greeting");
      throw new IOException("it does not let the connection in: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      end("it was interrupted");
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  CompletableFuture<ReceivedTensor> recvTensor(RecvTensorRequest request, CallOptions options) {
    return call(
        "RecvTensor", ReceivedTensor.class, call -> new Requests.Receive(call, request), options);
  }

  CompletableFuture<RunGraphResponse> runGraph(RunGraphRequest request, CallOptions options) {
    return call(
        "RunGraph", RunGraphResponse.class, call -> new Requests.Run(call, request), options);
  }

  /** Done when the value has been written. */
  CompletableFuture<Void> pushTensor(PushTensorRequest request) {
    OutgoingMessage frame = new Requests.Push(0, request).encode(requests.slots());
    requests.write(frame);
    return frame.written();
  }

  /** See {@link StepTransport#allocate}. */
  Optional<Tensor> allocate(DataType type, Shape shape) {
    return requests.slots().flatMap(slots -> slots.allocate(type, shape));
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private <T> CompletableFuture<T> call(
      String method, Class<T> type, LongFunction<Requests> request, CallOptions options) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    long call = begin(new Call<>(type, answer));
    if (call == 0) {
      answer.completeExceptionally(ended("it was closed"));
      return answer;
    }
    requests.write(request.apply(call).encode(requests.slots()));
    CallScope scope =
        new CallScope(timer, reason -> giveUp(call, answer, cancelled(method, reason)))
            .follow(options.cancellation());
    options
        .timeout()
        .ifPresent(
            limit -> scope.after(limit, () -> giveUp(call, answer, expired(limit.toMillis()))));
    answer.whenComplete((value, failure) -> scope.close());
    return answer;
  }

  private synchronized long begin(Call<?> call) {
    if (closed) {
      return 0;
    }
    lastCall++;
    calls.put(lastCall, call);
    return lastCall;
  }

  private void giveUp(long call, CompletableFuture<?> answer, TributaryException reason) {
    if (answer.completeExceptionally(reason) && isWaiting(call)) {
      requests.write(new Requests.Cancel(call).encode(Optional.empty()));
    }
  }

  private synchronized boolean isWaiting(long call) {
    return calls.containsKey(call);
  }

  private void readAnswers(Optional<Path> probe) {
    try {
      if (findsMemory(probe)) {
        requests.share();
      }
      greeting.complete(null);
      while (true) {
        deliver(Answer.read(in));
      }
    } catch (IOException | RuntimeException e) {
      end(e.toString());
    }
  }

  /**
   * Reads the other side's greeting. The probe is not needed any more then, nor if there is none.
   */
  private boolean findsMemory(Optional<Path> probe) throws IOException {
    try {
      return in.readByte() == Handshake.SHARED;
    } finally {
      SharedFolder.drop(probe);
    }
  }

  private void deliver(Answer answer) {
    Call<?> call;
    synchronized (this) {
      call = calls.remove(answer.call());
    }
    boolean delivered =
        call != null
            && (answer.failure().isPresent()
                ? call.answer().completeExceptionally(answer.failure().get())
                : call.complete(answer.result()));
    if (!delivered) {
      answer.release();
    }
  }

  /** Ends all calls as UNAVAILABLE. */
  @Override
  public void close() {
    end("it was closed");
  }

  private void end(String why) {
    List<Call<?>> broken;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      broken = List.copyOf(calls.values());
      calls.clear();
    }
    greeting.completeExceptionally(ended(why));
    stalls.forEach(StallWatch::close);
    requests.close();
    in.slots().close();
    try {
      answers.close();
    } catch (IOException e) {
      // Nobody uses it any more, either way.
    }
    broken.forEach(call -> call.answer().completeExceptionally(ended(why)));
  }

  private TributaryException ended(String why) {
    return new TributaryException(
        ErrorCode.UNAVAILABLE, "the stream from " + peer + " has ended: " + why);
  }

  private static TributaryException cancelled(String method, RuntimeException reason) {
    return TributaryException.derived(
        ErrorCode.CANCELLED, method + " was cancelled: " + reason.getMessage(), reason);
  }

  private TributaryException expired(long millis) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED, peer + " gave no answer within " + millis + " ms");
  }
}
