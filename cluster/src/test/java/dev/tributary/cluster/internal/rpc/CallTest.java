package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How calls end early, and what happens when the other task is not there. */
@NoLeaks
class CallTest {
  private static final Duration SILENCE = Duration.ofMinutes(1);
  private static final TaskName SELF = new TaskName("worker", 0);
  private static final TaskName PS = new TaskName("ps", 0);
  private static final RecvTensorRequest REQUEST =
      new RecvTensorRequest(1, RendezvousKey.of("key"), 2);

  private final Recording<WorkerInterface> worker = Recording.of(WorkerInterface.class);
  private final Recording<MasterInterface> master = Recording.of(MasterInterface.class);
  private final GrpcLoop loop = GrpcLoop.around(master.target(), worker.target());

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void cancel_callUnderWay_reachesTheOtherSide() throws Exception {
    worker.answering(call -> new CompletableFuture<ReceivedTensor>());
    Cancellation cancellation = new Cancellation();
    CompletableFuture<ReceivedTensor> future =
        loop.worker().recvTensor(REQUEST, CallOptions.cancelledBy(cancellation));
    CountDownLatch cancelledThere = new CountDownLatch(1);
    worker.next().options().cancellation().onCancel(cancelledThere::countDown);

    cancellation.cancel(new TributaryException(ErrorCode.ABORTED, "the step failed elsewhere"));

    assertThat(cancelledThere.await(20, TimeUnit.SECONDS)).isTrue();
    TributaryException error = error(future);
    assertThat(error.code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(error.derived()).isTrue();
  }

  @Test
  void cancel_beforeTheCall_endsIt() {
    worker.answering(call -> new CompletableFuture<ReceivedTensor>());
    Cancellation cancellation = new Cancellation();
    cancellation.cancel(new TributaryException(ErrorCode.ABORTED, "too late"));

    assertThat(
            error(loop.worker().recvTensor(REQUEST, CallOptions.cancelledBy(cancellation))).code())
        .isEqualTo(ErrorCode.CANCELLED);
  }

  @Test
  void cancel_valueThatComesAfterwards_isClosed() throws Exception {
    CompletableFuture<ReceivedTensor> late = new CompletableFuture<>();
    worker.answering(call -> late);
    Cancellation cancellation = new Cancellation();
    CompletableFuture<ReceivedTensor> future =
        loop.worker().recvTensor(REQUEST, CallOptions.cancelledBy(cancellation));
    CountDownLatch cancelledThere = new CountDownLatch(1);
    worker.next().options().cancellation().onCancel(cancelledThere::countDown);
    cancellation.cancel(new TributaryException(ErrorCode.ABORTED, "enough"));
    assertThat(cancelledThere.await(20, TimeUnit.SECONDS)).isTrue();

    late.complete(new ReceivedTensor(Optional.of(Tensor.of(1f, 2f)), false));

    assertThat(error(future).code()).isEqualTo(ErrorCode.CANCELLED);
  }

  @Test
  void timeout_noAnswer_isDeadlineExceededOnBothSides() throws Exception {
    worker.answering(call -> new CompletableFuture<ReceivedTensor>());

    CompletableFuture<ReceivedTensor> future =
        loop.worker().recvTensor(REQUEST, CallOptions.defaults().within(Duration.ofMillis(200)));

    CountDownLatch cancelledThere = new CountDownLatch(1);
    worker.next().options().cancellation().onCancel(cancelledThere::countDown);
    TributaryException error = error(future);
    assertThat(error.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(error).hasMessageContaining(GrpcLoop.SERVED.toString());
    assertThat(cancelledThere.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void call_madeWhileAnsweringAnother_outlivesIt() throws Exception {
    CompletableFuture<ReceivedTensor> slow = new CompletableFuture<>();
    CompletableFuture<CompletableFuture<ReceivedTensor>> inner = new CompletableFuture<>();
    worker.answering(
        call -> {
          if (call.method().equals("recvTensor")) {
            return slow;
          }
          inner.complete(loop.worker().recvTensor(REQUEST, CallOptions.defaults()));
          return CompletableFuture.completedFuture(null);
        });

    loop.worker().cleanupGraph(5, CallOptions.defaults()).get(20, TimeUnit.SECONDS);
    slow.complete(new ReceivedTensor(Optional.empty(), false));

    assertThat(inner.get(20, TimeUnit.SECONDS).get(20, TimeUnit.SECONDS).value()).isEmpty();
  }

  @Test
  void call_nobodyThere_isUnavailableAndNamesTaskAndAddress() throws Exception {
    String address = "localhost:" + freePort();
    try (GrpcWorkers workers = workers(address)) {
      TributaryException error = error(workers.worker(PS).getStatus(CallOptions.defaults()));

      assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(error).hasMessageStartingWith(PS + " at " + address);
      assertThat(error).hasMessageContaining("Connection refused");
    }
  }

  @Test
  void call_waitingForReady_findsATaskThatStartsLater() throws Exception {
    int port = freePort();
    try (GrpcWorkers workers = workers("localhost:" + port)) {
      CompletableFuture<Void> early =
          workers.worker(PS).cleanupGraph(5, CallOptions.defaults().waitingForReady());
      // The first attempt to connect has failed once a call that does not wait has.
      error(workers.worker(PS).getStatus(CallOptions.defaults()));

      try (GrpcServer server = serve(port)) {
        early.get(20, TimeUnit.SECONDS);
      }
    }
    assertThat(worker.next().arguments()).containsExactly(5L);
  }

  @Test
  void call_taskRestarted_isReachedAgain() throws Exception {
    int port = freePort();
    try (GrpcWorkers workers = workers("localhost:" + port)) {
      try (GrpcServer server = serve(port)) {
        workers.worker(PS).cleanupGraph(1, waiting()).get(20, TimeUnit.SECONDS);
      }
      assertThat(error(workers.worker(PS).cleanupGraph(2, CallOptions.defaults())).code())
          .isEqualTo(ErrorCode.UNAVAILABLE);
      try (GrpcServer server = serve(port)) {
        workers.worker(PS).cleanupGraph(3, waiting()).get(20, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void call_serverStopsMeanwhile_isUnavailable() throws Exception {
    worker.answering(call -> new CompletableFuture<ReceivedTensor>());
    CompletableFuture<ReceivedTensor> future =
        loop.worker().recvTensor(REQUEST, CallOptions.defaults());
    Cancellation there = worker.next().options().cancellation();

    loop.stopServer();

    assertThat(error(future).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(there.isCancelled()).isTrue();
  }

  @Test
  void call_afterClose_fails() {
    GrpcWorkers workers = workers(loop.address());
    WorkerInterface remote = workers.worker(PS);
    workers.close();

    assertThat(error(remote.getStatus(CallOptions.defaults())).code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void close_callUnderWay_endsIt() throws Exception {
    worker.answering(call -> new CompletableFuture<ReceivedTensor>());
    GrpcWorkers workers = workers(loop.address());
    CompletableFuture<ReceivedTensor> future =
        workers.worker(PS).recvTensor(REQUEST, CallOptions.defaults());
    worker.next();

    workers.close();

    assertThat(error(future).code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void worker_ownTask_isCalledDirectly() {
    WorkerInterface own = worker.target();
    try (GrpcWorkers workers =
        new GrpcWorkers(
            ClusterSpec.of(Map.of("worker", List.of("localhost:1"))), SELF, own, SILENCE)) {
      assertThat(workers.worker(SELF)).isSameAs(own);
      assertThat(workers.tasks()).containsExactly(SELF);
    }
  }

  @Test
  void worker_unknownTask_isInternalAndListsTasks() {
    try (GrpcWorkers workers = workers("localhost:1")) {
      assertThatThrownBy(() -> workers.worker(new TaskName("ps", 7)))
          .isInstanceOfSatisfying(
              TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
          .hasMessageContaining("No worker known as /job:ps/replica:0/task:7")
          .hasMessageContaining(PS.toString());
    }
  }

  @Test
  void masterCall_unavailableFirst_isRepeated() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    master.answering(
        call ->
            calls.incrementAndGet() < 4
                ? CompletableFuture.failedFuture(
                    new TributaryException(ErrorCode.UNAVAILABLE, "busy"))
                : CompletableFuture.completedFuture(null));

    loop.master().closeSession("s", CallOptions.defaults()).get(20, TimeUnit.SECONDS);

    assertThat(calls.get()).isEqualTo(4);
  }

  @Test
  void masterCall_alwaysUnavailable_isGivenUp() {
    AtomicInteger calls = new AtomicInteger();
    master.answering(
        call -> {
          calls.incrementAndGet();
          return CompletableFuture.failedFuture(
              new TributaryException(ErrorCode.UNAVAILABLE, "busy"));
        });

    TributaryException error = error(loop.master().closeSession("s", CallOptions.defaults()));

    assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(error).hasMessage("the master at " + loop.address() + ": busy");
    assertThat(calls.get()).isEqualTo(11);
  }

  @Test
  void masterCall_anotherError_isNotRepeated() {
    master.answering(
        call -> CompletableFuture.failedFuture(new TributaryException(ErrorCode.ABORTED, "twice")));

    assertThat(error(loop.master().closeSession("s", CallOptions.defaults())).code())
        .isEqualTo(ErrorCode.ABORTED);
    assertThat(master.waiting()).isEqualTo(1);
  }

  private GrpcServer serve(int port) {
    return GrpcServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        master.target(),
        worker.target());
  }

  private GrpcWorkers workers(String psAddress) {
    return new GrpcWorkers(
        ClusterSpec.of(Map.of("ps", List.of(psAddress), "worker", List.of("localhost:0"))),
        SELF,
        worker.target(),
        SILENCE);
  }

  private static CallOptions waiting() {
    return CallOptions.defaults().waitingForReady();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static TributaryException error(CompletableFuture<?> future) {
    return (TributaryException)
        catchThrowableOfType(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS))
            .getCause();
  }
}
