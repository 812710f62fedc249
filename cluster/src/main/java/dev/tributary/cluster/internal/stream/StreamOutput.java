package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
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
  private final SocketChannel channel;
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
  StreamOutput(SocketChannel channel, String peer, TaskMemory memory, Consumer<IOException> onBreak)
      throws IOException {
    this.channel = channel;
    this.peer = peer;
    this.memory = memory;
    this.onBreak = onBreak;
    channel.configureBlocking(false);
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
    Optional<OutgoingMessage> left = writeFrom(frame);
    left.ifPresent(unfinished -> StreamThreads.writer().execute(() -> goOn(unfinished)));
  }

  /** Writes this frame and those that wait; gives the one that the channel did not take whole. */
  private Optional<OutgoingMessage> writeFrom(OutgoingMessage first) {
    OutgoingMessage frame = first;
    try {
      while (writeParts(frame)) {
        frame.end();
        Optional<OutgoingMessage> next = next();
        if (next.isEmpty()) {
          return next;
        }
        frame = next.get();
      }
      return Optional.of(frame);
    } catch (IOException e) {
      frame.fail(ended(e.toString()));
      close();
      onBreak.accept(e);
      return Optional.empty();
    }
  }

  private boolean writeParts(OutgoingMessage frame) throws IOException {
    Queue<ByteBuffer> parts = frame.parts();
    while (!parts.isEmpty()) {
      ByteBuffer part = parts.peek();
      while (part.hasRemaining()) {
        if (channel.write(part) == 0) {
          return false;
        }
      }
      parts.remove();
    }
    return true;
  }

  private synchronized Optional<OutgoingMessage> next() {
    OutgoingMessage frame = waiting.poll();
    writing = frame != null;
    return Optional.ofNullable(frame);
  }

  /** Lets this thread wait for the channel for as long as there is more. Closing it ends that. */
  private void goOn(OutgoingMessage unfinished) {
    Optional<OutgoingMessage> left = Optional.of(unfinished);
    try {
      while (left.isPresent()) {
        // A writer that sleeps in the system is woken much sooner than one that asks whether it
        // may.
        channel.configureBlocking(true);
        while (left.isPresent()) {
          writeParts(left.get());
          left.get().end();
          left = poll();
        }
        channel.configureBlocking(false);
        left = next();
      }
    } catch (IOException e) {
      left.ifPresent(frame -> frame.fail(ended(e.toString())));
      close();
      onBreak.accept(e);
    }
  }

  private synchronized Optional<OutgoingMessage> poll() {
    return Optional.ofNullable(waiting.poll());
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
