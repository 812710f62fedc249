package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RareLog;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.memory.Allocator;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of a procedure: decodes the request, has it handled, answers with the response
 * or with an error's status. A caller that goes away cancels the handling, and so does a server
 * that stops. Immutable.
 */
final class UnaryHandler<Q, R> implements ServerCallHandler<ReceivedMessage, ByteString> {
  private static final Logger LOG = LoggerFactory.getLogger(UnaryHandler.class);
  private static final RareLog FAILURES = new RareLog(LOG::warn);

  private final Rpc<Q, R> rpc;
  private final RpcHandler<Q, R> handler;
  private final Cancellation stopping;
  private final RequestParts parts;
  private final Allocator allocator;
  private final Executor decoders;

  /**
   * @param parts how many parts a request may have
   * @param allocator takes the tensors of requests
   * @param decoders decode large requests
   */
  UnaryHandler(
      Rpc<Q, R> rpc,
      RpcHandler<Q, R> handler,
      Cancellation stopping,
      RequestParts parts,
      Allocator allocator,
      Executor decoders) {
    this.rpc = rpc;
    this.handler = handler;
    this.stopping = stopping;
    this.parts = parts;
    this.allocator = allocator;
    this.decoders = decoders;
  }

  @Override
  public ServerCall.Listener<ReceivedMessage> startCall(
      ServerCall<ReceivedMessage, ByteString> call, Metadata headers) {
    Incoming incoming = new Incoming(call, IncomingMessage.ofCall());
    call.request(1);
    return incoming;
  }

  /**
   * One call. gRPC calls it from one thread at a time, and delivers the message only when the
   * caller has sent all. The answer may come from any thread; whoever sets {@link #answered} gives
   * it.
   */
  private final class Incoming extends ServerCall.Listener<ReceivedMessage> {
    private final ServerCall<ReceivedMessage, ByteString> call;
    private final Cancellation cancellation = new Cancellation();
    private final IncomingMessage incoming;
    private final AtomicBoolean answered = new AtomicBoolean();
    private boolean received;

    Incoming(ServerCall<ReceivedMessage, ByteString> call, IncomingMessage message) {
      this.call = call;
      this.incoming = message;
      message.onRefusal(this::fail);
    }

    @Override
    public void onMessage(ReceivedMessage message) {
      received = true;
      incoming.handOver();
      if (message.isLarge()) {
        decoders.execute(() -> receive(message));
      } else {
        receive(message);
      }
    }

    private void receive(ReceivedMessage message) {
      Q request;
      try (message) {
        if (answered.get()) {
          return; // It was refused before it was complete, or its caller has gone.
        }
        parts.requireFew(message.bytes());
        request = rpc.request().decode().apply(message.bytes(), allocator);
      } catch (RuntimeException | Error e) {
        fail(e);
        return;
      } finally {
        incoming.end();
      }
      Runnable stop = this::stop;
      stopping.onCancel(stop);
      handle(request)
          .whenComplete(
              (response, error) -> {
                stopping.forget(stop);
                rpc.request().release().accept(request);
                if (error == null) {
                  answer(response);
                } else {
                  fail(error);
                }
              });
    }

    @Override
    public void onHalfClose() {
      if (!received) {
        fail(TributaryException.invalidArgument("%s came without a request", rpc.name()));
      }
    }

    @Override
    public void onCancel() {
      answered.set(true); // Nobody is left to answer.
      cancel("its caller");
    }

    private void stop() {
      fail(stopping.reason().orElseThrow());
      cancel("a server that stops");
    }

    private void cancel(String by) {
      cancellation.cancel(
          TributaryException.derived(
              ErrorCode.CANCELLED, rpc.name() + " was cancelled by " + by, null));
    }

    private CompletableFuture<R> handle(Q request) {
      try {
        return handler.handle(request, CallOptions.cancelledBy(cancellation).from(caller()));
      } catch (RuntimeException | Error e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private SocketAddress caller() {
      return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    }

    /** The response's tensors are given back before the caller can count on their memory. */
    private void answer(R response) {
      boolean sent = false;
      try {
        ByteString message = rpc.response().encode().apply(response);
        if (answered.compareAndSet(false, true)) {
          call.sendHeaders(new Metadata());
          call.sendMessage(message);
          sent = true;
        }
      } catch (RuntimeException | Error e) {
        fail(e);
      } finally {
        rpc.response().release().accept(response);
      }
      if (sent) {
        call.close(Status.OK, new Metadata());
      }
    }

    private void fail(Throwable thrown) {
      TributaryException error = Statuses.toException(thrown);
      if (error.code() == ErrorCode.INTERNAL) {
        FAILURES.admitted(rpc.name() + " failed").ifPresent(line -> LOG.warn(line, error));
      }
      if (answered.compareAndSet(false, true)) {
        call.close(Statuses.toStatus(error), Statuses.trailers(error));
      }
    }
  }
}
