package dev.tributary.internal.kernel.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.FileTask;
import dev.tributary.internal.file.FileThreads;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.queue.WorkQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One call that wants up to a number of records from a reader: it waits for its turn, then takes
 * records, and where the reader has no work it waits for some from the queue. Files are opened and
 * read on file threads; on others it never waits. At the end of a piece of work it gives what it
 * has, if that is anything.
 *
 * <p>A step that is cancelled while a file is read ends at once. The call keeps its turn until the
 * file system answers, and what was read is for the next one: the reading thread is not
 * interrupted, since that would close the file in the middle.
 */
final class ReadCall {
  private final String what;
  private final Reader reader;
  private final WorkQueue queue;
  private final long wanted;
  private final KernelContext context;
  private final AsyncKernel.Completion done;
  private final Consumer<List<SourceRecord>> deliver;
  private final Cancellation cancellation;
  private final FileRoot files;
  private final FileThreads threads;
  private final List<SourceRecord> records = new ArrayList<>();
  private final Runnable withdrawal = this::withdraw;

  /** True after the step learned how the call ended; then the context is the step's again. */
  private final AtomicBoolean told = new AtomicBoolean();

  /** The work that is on a file thread or waits for one; else nothing. */
  private volatile Optional<FileTask> atFile = Optional.empty();

  /**
   * @param what whose call it is, for messages
   */
  ReadCall(
      String what,
      Reader reader,
      WorkQueue queue,
      long wanted,
      KernelContext context,
      AsyncKernel.Completion done,
      Consumer<List<SourceRecord>> deliver) {
    this.what = what;
    this.reader = reader;
    this.queue = queue;
    this.wanted = wanted;
    this.context = context;
    this.done = done;
    this.deliver = deliver;
    this.cancellation = context.step().cancellation();
    this.files = context.device().files();
    this.threads = context.device().fileThreads();
  }

  void begin() {
    cancellation.onCancel(withdrawal);
    reader.submit(this);
    if (cancellation.isCancelled()) {
      // Told before it stood in line.
      withdraw();
    }
  }

  /** Begins to read, as all calls before have ended. */
  void takeTurn() {
    proceed(false);
  }

  /** Goes on until it has enough or must wait, for work or for a file thread. */
  private void proceed(boolean isOnFileThread) {
    while (!told.get()) {
      try {
        while (!told.get() && records.size() < wanted && reader.isAtWork()) {
          if (!reader.needsFile()) {
            reader.next().ifPresent(records::add);
          } else if (isOnFileThread) {
            reader.readAhead(files);
          } else {
            onFileThread();
            return;
          }
        }
      } catch (RuntimeException e) {
        end(Optional.of(e));
        return;
      }
      if (told.get() || records.size() == wanted || !records.isEmpty()) {
        end(Optional.empty());
        return;
      }
      Work work = new Work();
      queue.take(context, work);
      if (!work.cameAtOnce()) {
        return;
      }
    }
    end(Optional.empty());
  }

  /** Goes on where files can be waited for. */
  private void onFileThread() {
    FileTask task =
        new FileTask(
            what,
            false,
            () -> {
              try {
                proceed(true);
              } catch (Error e) {
                end(Optional.of(FileCall.canonical(e)));
              }
            });
    atFile = Optional.of(task);
    try {
      threads.begin(task);
    } catch (RuntimeException e) {
      if (threads.leave(task)) {
        end(Optional.of(e));
      }
      return;
    }
    if (cancellation.isCancelled()) {
      withdraw();
    }
  }

  private void end(Optional<RuntimeException> failure) {
    cancellation.forget(withdrawal);
    reader.endTurn(this);
    tell(failure);
  }

  private void tell(Optional<RuntimeException> failure) {
    if (!told.compareAndSet(false, true)) {
      return;
    }
    if (failure.isPresent()) {
      done.fail(failure.get());
      return;
    }
    try {
      deliver.accept(records);
    } catch (RuntimeException e) {
      done.fail(e);
      return;
    }
    done.succeed();
  }

  /** While it has its turn it waits at a file, or at the queue, which ends it then. */
  private void withdraw() {
    Optional<FileTask> task = atFile;
    RuntimeException reason = FileCall.cancelled(what, cancellation);
    if (reader.withdraw(this)) {
      tell(Optional.of(reason));
    } else if (task.isPresent()) {
      tell(Optional.of(reason));
      if (threads.leave(task.get())) {
        end(Optional.empty());
      }
    }
  }

  /**
   * The answer of the queue, which may come before {@link WorkQueue#take} returns. Then the call
   * continues in its own loop, lest a long line of empty files fill the stack. Guarded by its own
   * monitor.
   */
  private final class Work implements WorkQueue.Taker {
    @GuardedBy("this")
    private boolean came;

    @GuardedBy("this")
    private boolean waits;

    /** Returns whether the work is there; otherwise the thread that brings it continues. */
    synchronized boolean cameAtOnce() {
      waits = !came;
      return came;
    }

    @Override
    public void take(String name) {
      reader.assign(name);
      if (arrive()) {
        onFileThread();
      }
    }

    private synchronized boolean arrive() {
      came = true;
      return waits;
    }

    @Override
    public void fail(RuntimeException failure) {
      end(Optional.of(failure));
    }
  }
}
