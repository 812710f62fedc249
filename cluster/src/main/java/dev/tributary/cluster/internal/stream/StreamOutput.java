package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Writes frames one after the other without blocking a caller. The first caller writes, also for
 * those that come meanwhile; if the other side reads too slowly, a writer thread takes over. Owns
 * the channel. Guarded by its own monitor, under which nothing is written.
 */
final class StreamOutput implements AutoCloseable {
  /** So many messages at most are written as one. */
  private static final int MOST_AT_ONCE = 16;

  /** Messages that are written as one, so that small ones of a step cost one call of the system. */
  private record Batch(List<OutgoingMessage> frames, ByteBuffer[] parts) {
    static Batch of(List<OutgoingMessage> frames) {
      return new Batch(
          frames,
          frames.stream().flatMap(frame -> frame.parts().stream()).toArray(ByteBuffer[]::new));
    }

    static Batch of(OutgoingMessage frame) {
      return new Batch(List.of(frame), frame.parts().toArray(ByteBuffer[]::new));
    }

    void end() {
      frames.forEach(OutgoingMessage::end);
    }

    void fail(TributaryException reason) {
      frames.forEach(frame -> frame.fail(reason));
    }
  }

  private final StreamChannel channel;
  private final String peer;
  private final TaskMemory memory;
  private final Consumer<IOException> onBreak;

  @GuardedBy("this")
  private final Queue<OutgoingMessage> waiting = new ArrayDeque<>();

  private volatile Optional<OutgoingSlots> slots = Optional.empty();

  /** True while a thread writes or the writer thread has taken over. */
  @GuardedBy("this")
  private boolean writing;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param channel which nobody reads, as it is not to block from now on
   * @param peer what errors call the other side
   * @param memory counts what lies in shared memory
   * @param onBreak told once why nothing more can be written
   */
  StreamOutput(StreamChannel channel, String peer, TaskMemory memory, Consumer<IOException> onBreak)
      throws IOException {
    this.channel = channel;
    this.peer = peer;
    this.memory = memory;
    this.onBreak = onBreak;
    channel.blockWriters(false);
  }

  /** Lets large tensors go through shared memory from now on. */
  void share() {
    slots = Optional.of(new OutgoingSlots(memory.sharedMemory()));
  }

  /** The shared memory for large tensors of frames that are written here, if there is any. */
  Optional<OutgoingSlots> slots() {
    return slots;
  }

  /** Writes the frame, now or later; its future completes then. */
  void write(OutgoingMessage frame) {
    boolean refused;
    synchronized (this) {
      refused = closed;
      if (!closed && writing) {
        waiting.add(frame);
        return;
      }
      writing = true;
    }
    if (refused) {
      frame.fail(ended("it was closed"));
      return;
    }
    Optional<Batch> left = writeFrom(Batch.of(frame));
    left.ifPresent(unfinished -> StreamThreads.writer().execute(() -> goOn(unfinished)));
  }

  /** Writes these frames and those that wait; gives those that the channel did not take whole. */
  private Optional<Batch> writeFrom(Batch first) {
    Batch batch = first;
    try {
      while (channel.write(batch.parts())) {
        batch.end();
        Optional<Batch> next = next();
        if (next.isEmpty()) {
          return Optional.empty();
        }
        batch = next.get();
      }
      return Optional.of(batch);
    } catch (IOException e) {
      breakWith(batch, e);
      return Optional.empty();
    }
  }

  private synchronized Optional<Batch> next() {
    writing = !waiting.isEmpty();
    return poll();
  }

  /** Lets this thread wait for the channel for as long as there is more. Closing it ends that. */
  private void goOn(Batch unfinished) {
    Batch batch = unfinished;
    try {
      while (true) {
        // A writer that sleeps in the system is woken much sooner than one that asks whether it
        // may.
        channel.blockWriters(true);
        Optional<Batch> left = Optional.of(batch);
        while (left.isPresent()) {
          batch = left.get();
          channel.write(batch.parts());
          batch.end();
          left = poll();
        }
        channel.blockWriters(false);
        left = next();
        if (left.isEmpty()) {
          return;
        }
        batch = left.get();
      }
    } catch (IOException e) {
      breakWith(batch, e);
    }
  }

  /** Ends what was to be written; a frame of it that has gone already does not mind. */
  private void breakWith(Batch batch, IOException reason) {
    batch.fail(ended(reason.toString()));
    close();
    onBreak.accept(reason);
  }

  private synchronized Optional<Batch> poll() {
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    List<OutgoingMessage> frames = new ArrayList<>();
    while (!waiting.isEmpty() && frames.size() < MOST_AT_ONCE) {
      frames.add(waiting.remove());
    }
    return Optional.of(Batch.of(frames));
  }

  /** Returns the progress of the messages under way, for a {@link StallWatch}. */
  synchronized long position() {
    return writing ? channel.writtenBytes() : StallWatch.IDLE;
  }

  /** Fails what has not been written. */
  @Override
  public void close() {
    List<OutgoingMessage> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(waiting);
      waiting.clear();
    }
    slots.ifPresent(OutgoingSlots::close);
    try {
      channel.close();
    } catch (IOException e) {
      // Nobody uses it any more, either way.
    }
    left.forEach(frame -> frame.fail(ended("it was closed")));
  }

  private TributaryException ended(String why) {
    return new TributaryException(
        ErrorCode.UNAVAILABLE, "the stream to " + peer + " has ended: " + why);
  }
}
