package dev.tributary.internal.collective;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One member's part in one execution of a collective, as its algorithm sees it: the member's rank,
 * its memory, and sending to and receiving from other ranks. It ends when everything that was begun
 * has ended: no chunk of it is on its way and nobody reads or writes its memory any more. The first
 * failure lets nothing begin any more.
 *
 * <p>Chunks are sent as views of the member's memory, which nobody may change until the receiver
 * has them; the transport's release of the view shows that it has. Guarded by its own monitor,
 * under which nobody is called; what an algorithm does with a chunk, it does on the thread that
 * brought it or, if that takes long, on the pool.
 */
final class Exchange {
  /** Work on a chunk of this many bytes would hold up the thread that reads chunks of others. */
  private static final long LARGE = 1 << 16;

  /** Larger groups would make deep stacks of members that call each other in one process. */
  private static final int MOST_NESTED = 8;

  private static final int ALIGNMENT = 64;

  private final CollectiveCall call;
  private final CollectiveGroup group;
  private final int rank;
  private final ChunkTransport transport;
  private final Consumer<RuntimeException> onFailure;
  private final Runnable onEnd;
  private final AtomicInteger open = new AtomicInteger(1);

  @GuardedBy("this")
  private final Set<ChunkTransport.Wanted> wanted = new LinkedHashSet<>();

  @GuardedBy("this")
  private final List<Runnable> releases = new ArrayList<>(1);

  private volatile RuntimeException failure;

  /**
   * @param onFailure called with the first failure, before the end
   * @param onEnd called once, when nothing is open any more
   */
  Exchange(
      CollectiveCall call,
      CollectiveGroup group,
      int rank,
      ChunkTransport transport,
      Consumer<RuntimeException> onFailure,
      Runnable onEnd) {
    this.call = call;
    this.group = group;
    this.rank = rank;
    this.transport = transport;
    this.onFailure = onFailure;
    this.onEnd = onEnd;
  }

  CollectiveCall call() {
    return call;
  }

  CollectiveGroup group() {
    return group;
  }

  int rank() {
    return rank;
  }

  /** Returns where this member's own value lies. */
  long source() {
    return call.input().orElse(call.output()).storage().address();
  }

  /** Returns where the result is made. */
  long target() {
    return call.output().storage().address();
  }

  /** Runs an algorithm; what it begins may end later. */
  void run(CollectiveAlgorithm algorithm) {
    step(() -> algorithm.start(this));
  }

  void fail(RuntimeException reason) {
    synchronized (this) {
      if (failure != null) {
        return;
      }
      failure = reason;
    }
    onFailure.accept(reason);
  }

  boolean hasFailed() {
    return failure != null;
  }

  /** Calls this before the end, whether the exchange fails or not. */
  synchronized void atEnd(Runnable release) {
    releases.add(release);
  }

  /** Sends elements of this member's memory to another rank. */
  void send(int to, String key, long address, long bytes) {
    if (failure != null) {
      return;
    }
    DataType type = call.type();
    Shape shape = Shape.of(bytes / type.size());
    open.incrementAndGet();
    Tensor chunk;
    if (address % ALIGNMENT == 0) {
      chunk = SharedTensors.over(type, shape, address, this::ended);
    } else {
      chunk = aligned(type, shape, address, bytes);
    }
    transport.send(group.members().get(rank), group.members().get(to), key, chunk);
  }

  private Tensor aligned(DataType type, Shape shape, long address, long bytes) {
    Tensor copy;
    try {
      copy = SharedTensors.allocate(call.device().allocator(), type, shape);
    } catch (RuntimeException e) {
      ended();
      throw e;
    }
    Memory.copy(address, copy.storage().address(), bytes);
    return SharedTensors.over(
        type,
        shape,
        copy.storage().address(),
        () -> {
          copy.close();
          ended();
        });
  }

  /**
   * Asks another rank for a chunk.
   *
   * @param use gets the address of its elements, which are gone when it returns
   */
  void receive(int from, String key, long bytes, LongConsumer use) {
    receiveTensor(
        from,
        key,
        bytes,
        chunk -> {
          try (chunk) {
            use.accept(chunk.storage().address());
          }
        });
  }

  /**
   * Asks another rank for a chunk.
   *
   * @param use releases it
   */
  void receiveTensor(int from, String key, long bytes, Consumer<Tensor> use) {
    if (failure != null) {
      return;
    }
    ChunkTransport.Wanted chunk =
        new ChunkTransport.Wanted(group.members().get(from), group.members().get(rank), key, bytes);
    open.incrementAndGet();
    synchronized (this) {
      wanted.add(chunk);
    }
    transport.receive(
        chunk,
        new Rendezvous.Receiver() {
          @Override
          public void received(Optional<Tensor> value) {
            arrived(chunk, from, value, use);
          }

          @Override
          public void failed(RuntimeException reason) {
            forget(chunk);
            fail(located(reason, from));
            ended();
          }
        });
  }

  private void arrived(
      ChunkTransport.Wanted chunk, int from, Optional<Tensor> value, Consumer<Tensor> use) {
    forget(chunk);
    Optional<RuntimeException> wrong =
        value.isEmpty() ? Optional.of(dead(from)) : wrong(value.get(), chunk, from);
    if (wrong.isPresent() || failure != null) {
      value.ifPresent(Tensor::close);
      wrong.ifPresent(this::fail);
      ended();
    } else if (chunk.bytes() >= LARGE || group.size() > MOST_NESTED) {
      call.pool().execute(() -> step(() -> use.accept(value.get())));
    } else {
      step(() -> use.accept(value.get()));
    }
  }

  private RuntimeException dead(int from) {
    return TributaryException.internal("%s: %s sent a dead value", this, group.describe(from));
  }

  /** A chunk that came as bytes has no type of its own. */
  private Optional<RuntimeException> wrong(Tensor got, ChunkTransport.Wanted chunk, int from) {
    boolean fits = got.type() == call.type() || got.type() == DataType.UINT8;
    return fits && got.byteSize() == chunk.bytes()
        ? Optional.empty()
        : Optional.of(
            TributaryException.internal(
                "%s: %s sent %d bytes of %s for %s, wanted %d of %s; check that all members bring"
                    + " the same shape",
                this,
                group.describe(from),
                got.byteSize(),
                got.type().lowerName(),
                chunk.key(),
                chunk.bytes(),
                call.type().lowerName()));
  }

  /** Runs something that was counted as open. */
  private void step(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      fail(e);
    } finally {
      ended();
    }
  }

  private void ended() {
    if (open.decrementAndGet() == 0) {
      toRelease().forEach(Runnable::run);
      onEnd.run();
    }
  }

  private synchronized List<Runnable> toRelease() {
    return List.copyOf(releases);
  }

  private synchronized void forget(ChunkTransport.Wanted chunk) {
    wanted.remove(chunk);
  }

  private RuntimeException located(RuntimeException reason, int from) {
    return reason instanceof TributaryException known
        ? known.at(this + ": a chunk of " + group.describe(from))
        : reason;
  }

  /** The error after this much time without an end. */
  TributaryException late(String limit) {
    List<ChunkTransport.Wanted> missing;
    synchronized (this) {
      missing = List.copyOf(wanted);
    }
    String waits =
        missing.isEmpty()
            ? "other members have not taken what it sent"
            : "nothing came from "
                + String.join(
                    ", ",
                    missing.stream()
                        .map(chunk -> group.describe(group.rank(chunk.from().device())))
                        .distinct()
                        .toList());
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED,
        this
            + " did not end within "
            + limit
            + ": "
            + waits
            + "; check that all members run the same collectives in the same order");
  }

  /** Names the collective and the rank. */
  @Override
  public String toString() {
    return String.format(
        "%s instance %d of group %d at %s",
        call.kind(), call.keys().instance(), group.key(), group.describe(rank));
  }
}
