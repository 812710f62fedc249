package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RequestIds;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A RunGraph call in the making. */
final class GraphCall {
  private final WorkerInterface worker;
  private final String session;
  private final String graph;
  private final long step;
  private final List<KeyedTensor> send = new ArrayList<>();
  private final List<RendezvousKey> recvKeys = new ArrayList<>();
  private ExecutorOptions record = ExecutorOptions.none();
  private Piece partial = Piece.NONE;
  private boolean pushes;
  private CallOptions options = CallOptions.defaults();
  private long requestId = RequestIds.next();

  private GraphCall(WorkerInterface worker, String session, String graph, long step) {
    this.worker = worker;
    this.session = session;
    this.graph = graph;
    this.step = step;
  }

  static GraphCall runGraph(WorkerInterface worker, String session, String graph, long step) {
    return new GraphCall(worker, session, graph, step);
  }

  static CompletableFuture<ReceivedTensor> recvTensor(
      WorkerInterface worker, long step, String key) {
    return worker.recvTensor(
        new RecvTensorRequest(step, RendezvousKey.of(key), RequestIds.next()),
        CallOptions.defaults());
  }

  GraphCall feed(String key, Tensor value) {
    send.add(new KeyedTensor(RendezvousKey.of(key), value));
    return this;
  }

  GraphCall fetch(String... keys) {
    Stream.of(keys).map(RendezvousKey::of).forEach(recvKeys::add);
    return this;
  }

  GraphCall record(ExecutorOptions wanted) {
    record = wanted;
    return this;
  }

  GraphCall partial(Piece kind) {
    partial = kind;
    return this;
  }

  GraphCall pushing() {
    pushes = true;
    return this;
  }

  GraphCall cancelledBy(Cancellation cancellation) {
    options = CallOptions.cancelledBy(cancellation);
    return this;
  }

  GraphCall within(Duration limit) {
    options = options.within(limit);
    return this;
  }

  GraphCall requestId(long id) {
    requestId = id;
    return this;
  }

  /** Runs in the session that the worker shares among masters which open none. */
  CompletableFuture<RunGraphResponse> startInSharedSession() {
    return start(false);
  }

  CompletableFuture<RunGraphResponse> start() {
    return start(true);
  }

  /** Runs, and gives the one number that was fetched. */
  long runLong() {
    RunGraphResponse response = TestCluster.await(start());
    try (Tensor value = response.received().get(0).tensor()) {
      return value.longValue();
    }
  }

  /** Runs, and gives the one number that was fetched. */
  float runFloat() {
    RunGraphResponse response = TestCluster.await(start());
    try (Tensor value = response.received().get(0).tensor()) {
      return value.floatValue();
    }
  }

  /** Runs without any value. */
  void run() {
    TestCluster.await(start());
  }

  private CompletableFuture<RunGraphResponse> start(boolean sessionIsOpen) {
    return worker.runGraph(
        new RunGraphRequest(
            session,
            sessionIsOpen,
            graph,
            step,
            send,
            recvKeys,
            record,
            partial,
            pushes,
            requestId),
        options);
  }
}
