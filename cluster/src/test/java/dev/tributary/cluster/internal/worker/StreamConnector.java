package dev.tributary.cluster.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.stream.LocalStreamServer;
import dev.tributary.cluster.internal.stream.NetworkRoute;
import dev.tributary.cluster.internal.stream.NetworkStreamServer;
import dev.tributary.cluster.internal.stream.StreamOffer;
import dev.tributary.cluster.internal.stream.StreamTransport;
import dev.tributary.internal.time.ThreadTimer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The calls of steps through a stream, all else without a wire. */
final class StreamConnector implements Connector {
  private final Deque<Runnable> open = new ArrayDeque<>();
  private final boolean network;

  private StreamConnector(boolean network) {
    this.network = network;
  }

  /** Through sockets and shared memory of this machine. */
  static StreamConnector local() {
    return new StreamConnector(false);
  }

  /** By TCP. */
  static StreamConnector overNetwork() {
    return new StreamConnector(true);
  }

  @Override
  public WorkerInterface connect(Worker local) {
    Supplier<StreamOffer> offers = network ? serveNetwork(local) : serveLocal(local);
    StreamTransport stream =
        new StreamTransport(
            "the worker",
            local,
            TaskMemory.unlimited(),
            () -> CompletableFuture.completedFuture(offers.get()),
            true,
            Optional.of(
                new NetworkRoute(
                    InetAddress.getLoopbackAddress().getHostAddress(), Optional.empty())),
            (call, method, end) -> {},
            ThreadTimer.shared());
    open.push(stream::close);
    stream.prepare();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!stream.isStreaming() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    assertThat(stream.isStreaming()).isTrue();
    return (WorkerInterface)
        Proxy.newProxyInstance(
            StreamConnector.class.getClassLoader(),
            new Class<?>[] {WorkerInterface.class},
            (proxy, method, arguments) -> {
              boolean ofStep = method.getDeclaringClass().isAssignableFrom(StepTransport.class);
              try {
                return method.invoke(ofStep ? stream : local, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Supplier<StreamOffer> serveLocal(Worker worker) {
    LocalStreamServer server =
        LocalStreamServer.start(worker, TaskMemory.unlimited(), ThreadTimer.shared()).orElseThrow();
    open.push(server::close);
    return () -> new StreamOffer(Optional.of(server.endpoint()), Optional.empty());
  }

  private Supplier<StreamOffer> serveNetwork(Worker worker) {
    NetworkStreamServer server =
        NetworkStreamServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            worker,
            TaskMemory.unlimited(),
            ThreadTimer.shared());
    open.push(server::close);
    return () -> new StreamOffer(Optional.empty(), Optional.of(server.offer()));
  }

  @Override
  public void close() {
    open.forEach(Runnable::run);
  }
}
