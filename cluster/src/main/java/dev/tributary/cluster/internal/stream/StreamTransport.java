package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvBufRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one task through a stream if it offers one, on this machine or over the network, and by
 * gRPC otherwise: until the offer is there, where it cannot be reached, and to stock tasks. The
 * task is asked for its offer with the first call, and again after a stream broke, since another
 * process may have taken its place. Guarded by its own monitor.
 */
public final class StreamTransport implements StepTransport, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamTransport.class);

  /** The pause before a task that could not be reached is tried again. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** Attempts by network get rarer, up to one in about five minutes. */
  private static final int MOST_DOUBLINGS = 6;

  private final String peer;
  private final StepTransport grpc;
  private final TaskMemory memory;
  private final Supplier<CompletableFuture<StreamOffer>> offer;
  private final boolean local;
  private final Optional<NetworkRoute> network;
  private final SilenceWatch silence;
  private volatile Optional<StreamConnection> connection = Optional.empty();

  /** Attempts by network that have failed in a row. */
  @GuardedBy("this")
  private int networkFailures;

  @GuardedBy("this")
  private boolean asking;

  @GuardedBy("this")
  private boolean never;

  private final Timer timer;

  @GuardedBy("this")
  private long askAgainNanos;

  /**
   * @param peer what errors call the task
   * @param memory takes what comes through a stream, and counts what goes
   * @param offer asks the task; UNIMPLEMENTED if it knows no streams
   * @param local whether to use streams of this machine
   * @param network the way to the task's stream port; empty if it is not to be used
   * @param silence watches what is asked through a stream
   * @param timer ends calls that take too long
   */
  public StreamTransport(
      String peer,
      StepTransport grpc,
      TaskMemory memory,
      Supplier<CompletableFuture<StreamOffer>> offer,
      boolean local,
      Optional<NetworkRoute> network,
      SilenceWatch silence,
      Timer timer) {
    this.peer = peer;
    this.grpc = grpc;
    this.memory = memory;
    this.offer = offer;
    this.local = local;
    this.network = network;
    this.silence = silence;
    this.timer = timer;
    this.askAgainNanos = timer.nanos();
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvTensor(
      RecvTensorRequest request, CallOptions options) {
    return streamed("RecvTensor", stream -> stream.recvTensor(request, options))
        .orElseGet(() -> grpc.recvTensor(request, options));
  }

  @Override
  public CompletableFuture<ReceivedTensor> recvBuf(RecvBufRequest request, CallOptions options) {
    return streamed("RecvBuf", stream -> stream.recvTensor(request.asTensor(), options))
        .orElseGet(() -> grpc.recvBuf(request, options));
  }

  @Override
  public CompletableFuture<RunGraphResponse> runGraph(
      RunGraphRequest request, CallOptions options) {
    return Requests.Run.fits(request)
        ? streamed("RunGraph", stream -> stream.runGraph(request, options))
            .orElseGet(() -> grpc.runGraph(request, options))
        : grpc.runGraph(request, options);
  }

  @Override
  public CompletableFuture<Void> pushTensor(PushTensorRequest request, CallOptions options) {
    return streamed("PushTensor", stream -> stream.pushTensor(request))
        .orElseGet(() -> grpc.pushTensor(request, options));
  }

  @Override
  public Optional<Tensor> allocate(DataType type, Shape shape) {
    return connection.flatMap(open -> open.allocate(type, shape));
  }

  /** Calls through the stream, and watches the task meanwhile; empty if there is no stream. */
  private <T> Optional<CompletableFuture<T>> streamed(
      String method, Function<StreamConnection, CompletableFuture<T>> call) {
    if (!isStreaming()) {
      askForOffer(); // A task of this process answers at once.
    }
    Optional<StreamConnection> stream = connection.filter(open -> !open.isClosed());
    if (stream.isEmpty()) {
      return Optional.empty();
    }
    StreamConnection open = stream.get();
    CompletableFuture<T> answer = call.apply(open);
    if (!answer.isDone()) {
      silence.watch(
          answer,
          method,
          reason -> {
            answer.completeExceptionally(reason);
            open.close();
          });
    }
    return Optional.of(answer);
  }

  /** Returns whether values go through a stream now. */
  public boolean isStreaming() {
    Optional<StreamConnection> open = connection;
    return open.isPresent() && !open.get().isClosed();
  }

  /** Begins to connect, so that the first step finds a stream. */
  public void prepare() {
    askForOffer();
  }

  private void askForOffer() {
    if (!mayAsk()) {
      return;
    }
    offer
        .get()
        .whenComplete(
            (offered, failure) -> {
              if (failure == null) {
                connect(offered);
              } else {
                refused(failure instanceof CompletionException ? failure.getCause() : failure);
              }
            });
  }

  private synchronized boolean mayAsk() {
    if (asking || never || isStreaming() || timer.nanos() - askAgainNanos < 0) {
      return false;
    }
    asking = true;
    return true;
  }

  private void connect(StreamOffer offered) {
    if (local && offered.local().isPresent() && connect(offered.local().get())) {
      return;
    }
    if (network.isPresent() && offered.network().isPresent()) {
      // A port that does not answer would hold up the thread that brought the offer.
      StreamThreads.start("connect", () -> connect(offered.network().get(), network.get()));
    } else {
      askLater(PAUSE);
    }
  }

  private boolean connect(StreamEndpoint endpoint) {
    try {
      use(StreamConnection.open(peer, endpoint, memory, timer));
      LOG.debug("values for {} go through the stream at {}", peer, endpoint);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("values for {} do not go by local stream: {}", peer, e.toString());
      return false;
    }
  }

  private void connect(NetworkEndpoint endpoint, NetworkRoute route) {
    try {
      use(StreamConnection.open(peer, endpoint, route, memory, timer));
      LOG.debug("values for {} go through its stream {}", peer, endpoint);
    } catch (IOException | RuntimeException e) {
      if (askMoreRarely() == 1) {
        LOG.info(
            "values for {} go by gRPC, as its stream {} on {} cannot be reached ({}); a fixed port"
                + " for firewalls is set by --stream-port",
            peer,
            endpoint,
            route.host(),
            e.toString());
      }
    }
  }

  private void refused(Throwable failure) {
    boolean unknown =
        failure instanceof TributaryException
            && ((TributaryException) failure).code() == ErrorCode.UNIMPLEMENTED;
    if (unknown) {
      giveUp();
    } else {
      askLater(PAUSE);
    }
  }

  private void use(StreamConnection opened) {
    synchronized (this) {
      asking = false;
      networkFailures = 0;
      if (!never) {
        connection = Optional.of(opened);
        return;
      }
    }
    opened.close();
  }

  /** Returns how often in a row the network has failed. */
  private synchronized int askMoreRarely() {
    askLater(PAUSE.multipliedBy(1L << Math.min(networkFailures, MOST_DOUBLINGS)));
    networkFailures++;
    return networkFailures;
  }

  private synchronized void askLater(Duration pause) {
    asking = false;
    askAgainNanos = timer.nanos() + pause.toNanos();
  }

  private synchronized Optional<StreamConnection> giveUp() {
    asking = false;
    never = true;
    Optional<StreamConnection> open = connection;
    connection = Optional.empty();
    return open;
  }

  /** Ends what is asked through a stream as UNAVAILABLE. */
  @Override
  public void close() {
    giveUp().ifPresent(StreamConnection::close);
  }
}
