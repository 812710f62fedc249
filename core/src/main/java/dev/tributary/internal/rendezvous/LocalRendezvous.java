package dev.tributary.internal.rendezvous;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A rendezvous inside one process: a table of values that nobody has asked for yet and of requests
 * that nobody has answered yet. It owns the values in the table. Guarded by its own monitor, under
 * which it calls nobody: what follows from a meeting is settled there and done afterwards, on the
 * thread that sends, asks or aborts.
 */
public final class LocalRendezvous implements Rendezvous, AutoCloseable {
  private static final Runnable NOTHING = () -> {};
  private static final Map<RendezvousKey, Meeting> NO_TABLE = Map.of();

  /** Those who wait under one key. They are of one kind, since the two kinds meet at once. */
  private static final class Meeting {
    final Deque<Optional<Tensor>> values = new ArrayDeque<>(1);
    final Deque<Receiver> receivers = new ArrayDeque<>(1);

    boolean isOver() {
      return values.isEmpty() && receivers.isEmpty();
    }

    void fail(RuntimeException reason) {
      values.forEach(value -> value.ifPresent(Tensor::close));
      receivers.forEach(receiver -> receiver.failed(reason));
    }
  }

  /** By key, those that have somebody waiting. Most steps of one process never need the table. */
  @GuardedBy("this")
  private Map<RendezvousKey, Meeting> meetings = NO_TABLE;

  @GuardedBy("this")
  private Optional<RuntimeException> aborted = Optional.empty();

  @Override
  public void send(RendezvousKey key, Optional<Tensor> value) {
    settleSend(key, value).run();
  }

  @Override
  public void receive(RendezvousKey key, Receiver receiver) {
    settleReceive(key, receiver).run();
  }

  @Override
  public void abort(RuntimeException reason) {
    settleAbort(reason).forEach(meeting -> meeting.fail(reason));
  }

  /** Releases what nobody asked for; to be called when nobody sends or asks any more. */
  @Override
  @SuppressWarnings("GuardedBy")
  public void close() {
    // Nobody else is here any more, so a look without the lock tells whether anybody ever waited.
    if (meetings != NO_TABLE && !isEmpty()) {
      abort(new TributaryException(ErrorCode.CANCELLED, "the step is over"));
    }
  }

  /** Returns whether nobody waits and no value lies here. */
  public synchronized boolean isEmpty() {
    return meetings.isEmpty();
  }

  private synchronized Runnable settleSend(RendezvousKey key, Optional<Tensor> value) {
    if (aborted.isPresent()) {
      return () -> value.ifPresent(Tensor::close);
    }
    Meeting meeting = meeting(key);
    if (meeting.receivers.isEmpty()) {
      meeting.values.add(value);
      return NOTHING;
    }
    Receiver receiver = meeting.receivers.remove();
    forgetIfOver(key, meeting);
    return () -> receiver.received(value);
  }

  private synchronized Runnable settleReceive(RendezvousKey key, Receiver receiver) {
    if (aborted.isPresent()) {
      RuntimeException reason = aborted.get();
      return () -> receiver.failed(reason);
    }
    Meeting meeting = meeting(key);
    if (meeting.values.isEmpty()) {
      meeting.receivers.add(receiver);
      return NOTHING;
    }
    Optional<Tensor> value = meeting.values.remove();
    forgetIfOver(key, meeting);
    return () -> receiver.received(value);
  }

  private synchronized Collection<Meeting> settleAbort(RuntimeException reason) {
    if (aborted.isEmpty()) {
      aborted = Optional.of(reason);
    }
    Collection<Meeting> left = meetings.values();
    meetings = NO_TABLE;
    return left;
  }

  @GuardedBy("this")
  private Meeting meeting(RendezvousKey key) {
    if (meetings == NO_TABLE) {
      meetings = new HashMap<>();
    }
    return meetings.computeIfAbsent(key, k -> new Meeting());
  }

  @GuardedBy("this")
  private void forgetIfOver(RendezvousKey key, Meeting meeting) {
    if (meeting.isOver()) {
      meetings.remove(key);
    }
  }
}
