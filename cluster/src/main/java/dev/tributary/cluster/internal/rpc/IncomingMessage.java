package dev.tributary.cluster.internal.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.MemoryAccount;
import io.grpc.Context;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.function.Consumer;

/**
 * The request of one call while it comes in. A small one costs nothing; a large one has its bytes
 * reserved as they come, and is refused as soon as they do not fit. Its own monitor guards what is
 * reserved.
 */
final class IncomingMessage extends ServerStreamTracer {
  private static final Context.Key<IncomingMessage> KEY = Context.key("incoming message");

  /** Up to here nobody counts; gRPC's own window is larger. */
  private static final long SMALL = 1 << 20;

  private final MemoryAccount account;
  private volatile Consumer<TributaryException> onRefusal = reason -> {};
  private long received;

  @GuardedBy("this")
  private long reserved;

  @GuardedBy("this")
  private boolean handedOver;

  @GuardedBy("this")
  private boolean ended;

  IncomingMessage(MemoryAccount account) {
    this.account = account;
  }

  /** The one of the call that this thread is about to handle. */
  static IncomingMessage ofCall() {
    return KEY.get();
  }

  /** Tells whom to call, on any thread, if the message does not fit. */
  void onRefusal(Consumer<TributaryException> refusal) {
    onRefusal = refusal;
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  /** The bytes of a call come one after the other. */
  @Override
  public void inboundWireSize(long bytes) {
    received += bytes;
    if (received > SMALL) {
      try {
        reserve();
      } catch (TributaryException e) {
        end();
        onRefusal.accept(e);
      }
    }
  }

  private synchronized void reserve() {
    if (!ended) {
      account.reserve(received - reserved);
      reserved = received;
    }
  }

  /**
   * It is complete. Its bytes count until its receiver {@linkplain #end ends} it, also if the call
   * is over before: a large request waits for a thread to decode it.
   */
  synchronized void handOver() {
    handedOver = true;
  }

  /** Its memory is given back. */
  synchronized void end() {
    ended = true;
    if (reserved > 0) {
      account.release(reserved);
      reserved = 0;
    }
  }

  @Override
  public synchronized void streamClosed(Status status) {
    if (!handedOver) {
      end();
    }
  }
}
