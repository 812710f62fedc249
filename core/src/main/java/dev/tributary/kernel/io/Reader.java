package dev.tributary.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.example.ReaderState;
import dev.tributary.kernel.Resource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Gives the records of one piece of work after the other. Only one call reads at a time; others
 * wait in line, since which record is next depends on those before. Guarded by its own monitor as
 * to the line and the counts; whose turn it is has the open source to itself.
 */
final class Reader implements Resource {
  private final String name;
  private final RecordSource.Opener opener;
  private final boolean canSaveState;
  private final Deque<ReadCall> line = new ArrayDeque<>();
  private Optional<RecordSource> source = Optional.empty();
  private ReaderState state = ReaderState.INITIAL;
  private boolean dropped;

  /**
   * @param canSaveState whether it is never in the middle of a piece of work between two calls
   */
  Reader(String name, RecordSource.Opener opener, boolean canSaveState) {
    this.name = name;
    this.opener = opener;
    this.canSaveState = canSaveState;
  }

  RecordSource.Opener opener() {
    return opener;
  }

  // ---- turns ----

  /** Puts a call at the end of the line; it reads when all before it are done. */
  void submit(ReadCall call) {
    boolean isFirst;
    synchronized (this) {
      requireNotDropped();
      line.add(call);
      isFirst = line.size() == 1;
    }
    if (isFirst) {
      call.takeTurn();
    }
  }

  /** Ends the turn of the first call; the next one has its turn. */
  void endTurn(ReadCall call) {
    Optional<ReadCall> next;
    synchronized (this) {
      line.remove(call);
      if (dropped) {
        closeSource();
      }
      next = Optional.ofNullable(line.peek());
    }
    next.ifPresent(ReadCall::takeTurn);
  }

  /** Takes a call that waits for its turn out of the line; false if it has it already. */
  synchronized boolean withdraw(ReadCall call) {
    return line.peek() != call && line.remove(call);
  }

  // ---- reading, by the call whose turn it is ----

  boolean isAtWork() {
    return source.isPresent();
  }

  void startWork(String work, RecordSource opened) {
    source = Optional.of(opened);
    synchronized (this) {
      state =
          new ReaderState(
              state.workStarted() + 1, state.workFinished(), state.recordsProduced(), work);
    }
  }

  /** The next record of the work, or nothing at its end; the work ends with its last record. */
  Optional<SourceRecord> next() {
    RecordSource work = source.orElseThrow();
    Optional<SourceRecord> record;
    try {
      record = work.next();
    } catch (RuntimeException e) {
      // The rest of a damaged file must not go missing unnoticed: every read fails in the same way.
      closeSource();
      source =
          Optional.of(
              () -> {
                throw e;
              });
      throw e;
    }
    boolean isOver = record.isEmpty() || work.isSpent();
    if (isOver) {
      closeSource();
    }
    count(record.isPresent() ? 1 : 0, isOver ? 1 : 0);
    return record;
  }

  private synchronized void count(int records, int workUnits) {
    state =
        new ReaderState(
            state.workStarted(),
            state.workFinished() + workUnits,
            state.recordsProduced() + records,
            state.work());
  }

  // ---- state ----

  /** Returns how far it is. */
  synchronized ReaderState state() {
    return state;
  }

  /** The same in the form that {@link #restore} takes. */
  synchronized ReaderState savedState() {
    requireStateToSave("SerializeState");
    return state;
  }

  /** Goes on from where a reader was. */
  synchronized void restore(ReaderState saved) {
    requireStateToSave("RestoreState");
    requireIdle("restored");
    closeSource();
    state = saved;
  }

  /** Forgets everything, the work it was at too. */
  synchronized void reset() {
    requireIdle("reset");
    closeSource();
    state = ReaderState.INITIAL;
  }

  private void requireStateToSave(String action) {
    if (!canSaveState) {
      throw TributaryException.unimplemented(
          "Reader %s: reader '%s' may be in the middle of a file", action, name);
    }
  }

  private void requireIdle(String action) {
    if (!line.isEmpty()) {
      throw TributaryException.failedPrecondition(
          "reader '%s' cannot be %s while a step reads from it", name, action);
    }
  }

  @Override
  public synchronized void close() {
    dropped = true;
    if (line.isEmpty()) {
      closeSource();
    }
  }

  private void closeSource() {
    source.ifPresent(RecordSource::close);
    source = Optional.empty();
  }

  private void requireNotDropped() {
    if (dropped) {
      throw TributaryException.cancelled("reader '%s' was dropped with its container", name);
    }
  }
}
