package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.stream.StreamServer;
import dev.tributary.cluster.internal.stream.StreamTransport;
import dev.tributary.internal.time.ThreadTimer;
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
    StreamServer server =
        StreamServer.start(local, TaskMemory.unlimited(), ThreadTimer.shared()).orElseThrow();
    open.push(server::close);
    StreamTransport stream =
        new StreamTransport(
            "the worker",
            local,
            TaskMemory.unlimited(),
            () -> CompletableFuture.completedFuture(server.endpoint()),
            (call, method, end) -> {},
            ThreadTimer.shared());
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
