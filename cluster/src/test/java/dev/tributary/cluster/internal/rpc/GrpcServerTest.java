package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GrpcServerTest {
  private final Recording<MasterInterface> master = Recording.of(MasterInterface.class);
  private final Recording<WorkerInterface> worker = Recording.of(WorkerInterface.class);

  @Test
  void start_portInUse_isFailedPreconditionAndNamesIt() {
    try (GrpcServer first = serve(0)) {
      assertThatThrownBy(() -> serve(first.port()))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
          .hasMessageContaining(":" + first.port())
          .hasMessageContaining("Address already in use");
    }
  }

  @Test
  void close_port_isFreeAgain() throws Exception {
    GrpcServer server = serve(0);
    int port = server.port();

    server.close();

    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(socket.isBound()).isTrue();
    }
  }

  @Test
  void close_callThatNeverEnds_isCancelledWithinTheLimit() throws Exception {
    worker.answering(call -> new CompletableFuture<ReceivedTensor>());
    try (GrpcLoop loop = GrpcLoop.around(master.target(), worker.target())) {
      loop.worker()
          .recvTensor(new RecvTensorRequest(1, RendezvousKey.of("k"), 1), CallOptions.defaults());
      CallOptions parked = worker.next().options();
      long start = System.nanoTime();

      loop.stopServer();

      assertThat(parked.cancellation().isCancelled()).isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void startAndStop_fiftyServersWithClients_leaveNoThread() throws Exception {
    Set<Thread> before = threads();
    for (int i = 0; i < 50; i++) {
      try (GrpcLoop loop = GrpcLoop.around(master.target(), worker.target())) {
        loop.worker().cleanupGraph(i, CallOptions.defaults()).get(20, TimeUnit.SECONDS);
        loop.master().closeSession("s", CallOptions.defaults()).get(20, TimeUnit.SECONDS);
      }
    }
    // gRPC itself keeps a timer for a second after its last user.
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!newThreads(before).isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(newThreads(before)).isEmpty();
  }

  @Test
  void health_servedServices_areServing() throws Exception {
    try (GrpcLoop loop = GrpcLoop.around(master.target(), worker.target());
        RawCalls raw = new RawCalls(loop.address())) {
      assertThat(health(raw)).containsOnly(ServingStatus.SERVING);
    }
  }

  @Test
  void health_serverThatRunsNoSteps_isNotServing() throws Exception {
    try (GrpcServer server = serve(0);
        RawCalls raw = new RawCalls("localhost:" + server.port())) {
      server.setServing(false);
      assertThat(health(raw)).containsOnly(ServingStatus.NOT_SERVING);

      server.setServing(true);
      assertThat(health(raw)).containsOnly(ServingStatus.SERVING);
    }
  }

  private static List<ServingStatus> health(RawCalls raw) {
    return Stream.of("", MasterService.NAME, WorkerService.NAME)
        .map(
            service ->
                HealthGrpc.newBlockingStub(raw.channel())
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .check(HealthCheckRequest.newBuilder().setService(service).build())
                    .getStatus())
        .toList();
  }

  @Test
  void reflection_ourServices_areListedAndDescribed() throws Exception {
    try (GrpcLoop loop = GrpcLoop.around(master.target(), worker.target());
        RawCalls raw = new RawCalls(loop.address())) {
      BlockingQueue<ServerReflectionResponse> answers = new LinkedBlockingQueue<>();
      StreamObserver<ServerReflectionRequest> questions =
          ServerReflectionGrpc.newStub(raw.channel())
              .withDeadlineAfter(20, TimeUnit.SECONDS)
              .serverReflectionInfo(new Collecting(answers));

      questions.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
      questions.onNext(
          ServerReflectionRequest.newBuilder().setFileContainingSymbol(WorkerService.NAME).build());

      assertThat(
              answers.poll(20, TimeUnit.SECONDS).getListServicesResponse().getServiceList().stream()
                  .map(service -> service.getName()))
          .contains(MasterService.NAME, WorkerService.NAME);
      ByteString file =
          answers.poll(20, TimeUnit.SECONDS).getFileDescriptorResponse().getFileDescriptorProto(0);
      assertThat(FileDescriptorProto.parseFrom(file).getService(0).getMethodList())
          .extracting(method -> method.getName())
          .contains("RunGraph", "RecvTensor");
      questions.onCompleted();
    }
  }

  private GrpcServer serve(int port) {
    return GrpcServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        master.target(),
        worker.target());
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet();
  }

  private static Set<String> newThreads(Set<Thread> before) {
    return threads().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .collect(Collectors.toSet());
  }

  /** Keeps what comes. */
  private record Collecting(BlockingQueue<ServerReflectionResponse> answers)
      implements StreamObserver<ServerReflectionResponse> {
    @Override
    public void onNext(ServerReflectionResponse answer) {
      answers.add(answer);
    }

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onCompleted() {}
  }
}
