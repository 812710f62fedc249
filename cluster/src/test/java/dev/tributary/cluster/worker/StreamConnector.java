package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.StepTransport;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.stream.StreamServer;
import dev.tributary.cluster.stream.StreamTransport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/** The calls of steps through a stream, all else without a wire. */
final class StreamConnector implements Connector {
  private final Deque<Runnable> open = new ArrayDeque<>();

  @Override
  public WorkerInterface connect(Worker local) {
    StreamServer server = StreamServer.start(local).orElseThrow();
    open.push(server::close);
    StreamTransport stream =
        new StreamTransport(
            "the worker",
            local,
            () -> CompletableFuture.completedFuture(server.endpoint()),
            (call, method, end) -> {});
    open.push(stream::close);
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

  @Override
  public void close() {
    open.forEach(Runnable::run);
  }
}
