package dev.tributary.internal.collective;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.kernel.CollectiveExecutor.Completion;
import dev.tributary.internal.kernel.CollectiveKind;
import dev.tributary.internal.time.Timer;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call of a collective from its beginning to its end. Result, failure, cancellation or limit:
 * the first decides what the caller gets. What the call holds is released when no member reads or
 * writes it any more, which may be later. Safe for use by many threads.
 */
final class CollectiveRun {
  /** Leaders have the same limit, and know better who is missing. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final CollectiveCall call;
  private final CollectiveRuntime runtime;
  private final ChunkTransport chunks;
  private final Cancellation cancellation;
  private final Completion done;
  private final Runnable onCancel = this::cancelled;
  private final AtomicBoolean answered = new AtomicBoolean();
  private volatile Exchange exchange;
  private volatile Timer.Alarm alarm = Timer.Alarm.NONE;

  CollectiveRun(
      CollectiveCall call,
      CollectiveRuntime runtime,
      ChunkTransport chunks,
      Cancellation cancellation,
      Completion done) {
    this.call = call;
    this.runtime = runtime;
    this.chunks = chunks;
    this.cancellation = cancellation;
    this.done = done;
  }

  /** Ends the call before it has begun. */
  void refuse(RuntimeException reason) {
    call.release();
    done.fail(reason);
  }

  void start() {
    Duration limit = limit();
    alarm = runtime.timer().after(limit.plus(GRACE), () -> expire(limit));
    cancellation.onCancel(onCancel);
    CollectiveMember member = runtime.member(call.device().name());
    String type = DeviceSpec.parse(member.device()).type().orElse("");
    runtime
        .resolver()
        .group(new GroupRequest(call.keys().group(), call.keys().groupSize(), type, member, limit))
        .thenCompose(
            group ->
                runtime
                    .resolver()
                    .instance(instance(type, limit))
                    .thenAccept(source -> begin(group, source)))
        .whenComplete(
            (begun, thrown) -> {
              if (thrown != null) {
                call.release();
                fail(unresolved(thrown));
              }
            });
  }

  private InstanceRequest instance(String deviceType, Duration limit) {
    return new InstanceRequest(
        call.node(),
        call.kind(),
        call.type(),
        // The members of a gather agree on the result, as TensorFlow's do.
        call.kind() == CollectiveKind.GATHER ? call.output().shape() : call.shape(),
        call.keys().group(),
        call.keys().groupSize(),
        call.keys().instance(),
        deviceType,
        call.cut().offsets(),
        call.device().name(),
        call.isSource(),
        limit);
  }

  private void begin(CollectiveGroup group, int source) {
    Exchange begun =
        new Exchange(
            call, group, group.rank(call.device().name()), chunks, this::fail, this::ended);
    exchange = begun;
    if (answered.get()) {
      begun.fail(cancellation.reason().orElseGet(() -> begun.late(TimeText.of(limit()))));
    }
    begun.run(answered.get() ? nothing -> {} : Algorithms.choose(call, group, source));
  }

  /** Nobody reads or writes what the call holds any more. */
  private void ended() {
    if (!exchange.hasFailed() && answer()) {
      call.input().ifPresent(Tensor::close);
      done.succeed(call.output());
    } else {
      call.release();
    }
  }

  private void fail(RuntimeException reason) {
    if (answer()) {
      runtime.resolver().forget(call.keys().group());
      done.fail(reason);
    }
  }

  private boolean answer() {
    if (!answered.compareAndSet(false, true)) {
      return false;
    }
    cancellation.forget(onCancel);
    alarm.cancel();
    return true;
  }

  private void cancelled() {
    end(cancellation.reason().orElseThrow());
  }

  private void expire(Duration limit) {
    Exchange begun = exchange;
    end(
        begun != null
            ? begun.late(TimeText.of(limit))
            : new TributaryException(
                ErrorCode.DEADLINE_EXCEEDED,
                String.format(
                    "%s: its members did not all come within %s", this, TimeText.of(limit))));
  }

  /** Fails the call, and lets its algorithm begin nothing more. */
  private void end(RuntimeException reason) {
    Exchange begun = exchange;
    if (begun != null) {
      begun.fail(reason);
    }
    fail(reason);
  }

  private Duration limit() {
    return call.timeout().orElse(runtime.limit());
  }

  private RuntimeException unresolved(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return cause instanceof TributaryException known
        ? known.at(toString())
        : TributaryException.internal("%s: %s", this, cause);
  }

  /** Names the collective and the device. */
  @Override
  public String toString() {
    return String.format(
        "%s instance %d of group %d on %s",
        call.kind(), call.keys().instance(), call.keys().group(), call.device().name());
  }
}
