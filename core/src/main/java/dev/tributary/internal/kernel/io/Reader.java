package dev.tributary.internal.kernel.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.example.ReaderState;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.Resource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Gives the records of one piece of work after the other. Only one call reads at a time; others
 * wait in line, since which record is next depends on those before. Guarded by its own monitor as
 * to the line and the counts; whose turn it is has the open source to itself.
 */
final class Reader implements Resource {
  /** Enough that the way to a file thread, some 20 µs, does not matter for short records. */
  private static final int MOST_AHEAD = 256;

  private static final long MOST_BYTES_AHEAD = 1 << 16;

  /** The end of the records that were read ahead. */
  private enum Rest {
    /** There is no work at hand. */
    NO_WORK,
    /** More of the file. */
    UNREAD,
    /** The work ends with the last of them. */
    NOTHING,
    /** The work ends when the next one is asked for. */
    END
  }

  private final String name;
  private final RecordSource.Opener opener;
  private final boolean canSaveState;

  @GuardedBy("this")
  private final Deque<ReadCall> line = new ArrayDeque<>();

  /** Records that were read but not given to a call yet. */
  private final Deque<SourceRecord> ahead = new ArrayDeque<>();

  /** Work that was taken from a queue and whose file has not been opened. */
  private Optional<String> assigned = Optional.empty();

  private Optional<RecordSource> source = Optional.empty();
  private Rest rest = Rest.NO_WORK;

  /** Why the rest of the work cannot be read. */
  private Optional<RuntimeException> damage = Optional.empty();

  @GuardedBy("this")
  private ReaderState state = ReaderState.INITIAL;

  @GuardedBy("this")
  private boolean dropped;

  /**
   * @param canSaveState whether it is never in the middle of a piece of work between two calls
   */
  Reader(String name, RecordSource.Opener opener, boolean canSaveState) {
    this.name = name;
    this.opener = opener;
    this.canSaveState = canSaveState;
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
        dropWork();
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
    return rest != Rest.NO_WORK;
  }

  /** Takes on a piece of work, which is for the next call if this one ends before it is opened. */
  void assign(String work) {
    assigned = Optional.of(work);
    rest = Rest.UNREAD;
  }

  private void startWork(String work, RecordSource opened) {
    source = Optional.of(opened);
    synchronized (this) {
      state =
          new ReaderState(
              state.workStarted() + 1, state.workFinished(), state.recordsProduced(), work);
    }
  }

  /** Returns whether {@link #next} has to wait until somebody has {@link #readAhead}. */
  boolean needsFile() {
    return rest == Rest.UNREAD && ahead.isEmpty() && damage.isEmpty();
  }

  /** Reads some records of the work, on a file thread. Work that cannot be opened is dropped. */
  void readAhead(FileRoot files) {
    if (assigned.isPresent()) {
      String name = assigned.get();
      assigned = Optional.empty();
      try {
        startWork(name, opener.open(files, name));
      } catch (RuntimeException e) {
        rest = Rest.NO_WORK;
        throw e;
      }
    }
    RecordSource work = source.orElseThrow();
    long bytes = 0;
    try {
      while (rest == Rest.UNREAD && ahead.size() < MOST_AHEAD && bytes < MOST_BYTES_AHEAD) {
        Optional<SourceRecord> record = work.next();
        if (record.isPresent()) {
          ahead.add(record.get());
          bytes += record.get().value().length;
        }
        if (record.isEmpty() || work.isSpent()) {
          closeSource();
          rest = record.isEmpty() ? Rest.END : Rest.NOTHING;
        }
      }
    } catch (RuntimeException e) {
      // The rest of a damaged file must not go missing unnoticed: every read fails in the same way.
      damage = Optional.of(e);
      closeSource();
    }
  }

  /** The next record of the work, or nothing at its end; the work ends with its last record. */
  Optional<SourceRecord> next() {
    if (ahead.isEmpty() && damage.isPresent()) {
      throw damage.get();
    }
    Optional<SourceRecord> record = Optional.ofNullable(ahead.poll());
    boolean isOver = record.isEmpty() || (ahead.isEmpty() && rest == Rest.NOTHING);
    if (isOver) {
      rest = Rest.NO_WORK;
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
    dropWork();
    state = saved;
  }

  /** Forgets everything, the work it was at too. */
  synchronized void reset() {
    requireIdle("reset");
    dropWork();
    state = ReaderState.INITIAL;
  }

  private void requireStateToSave(String action) {
    if (!canSaveState) {
      throw TributaryException.unimplemented(
          "Reader %s: reader '%s' may be in the middle of a file", action, name);
    }
  }

  @GuardedBy("this")
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
      dropWork();
    }
  }

  private void dropWork() {
    closeSource();
    assigned = Optional.empty();
    ahead.clear();
    damage = Optional.empty();
    rest = Rest.NO_WORK;
  }

  private void closeSource() {
    source.ifPresent(RecordSource::close);
    source = Optional.empty();
  }

  @GuardedBy("this")
  private void requireNotDropped() {
    if (dropped) {
      throw TributaryException.cancelled("reader '%s' was dropped with its container", name);
    }
  }
}
