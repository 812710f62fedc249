package dev.tributary.kernel.io;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.AsyncKernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.queue.WorkQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One call that wants up to a number of records from a reader: it waits for its turn, then reads,
 * and where the reader has no work it waits for some from the queue. It never holds a thread. At
 * the end of a piece of work it gives what it has, if that is anything.
 */
final class ReadCall {
  private final Reader reader;
  private final WorkQueue queue;
  private final long wanted;
  private final KernelContext context;
  private final AsyncKernel.Completion done;
  private final Consumer<List<SourceRecord>> deliver;
  private final List<SourceRecord> records = new ArrayList<>();
  private final Runnable withdrawal = this::withdraw;

  ReadCall(
      Reader reader,
      WorkQueue queue,
      long wanted,
      KernelContext context,
      AsyncKernel.Completion done,
      Consumer<List<SourceRecord>> deliver) {
    this.reader = reader;
    this.queue = queue;
    this.wanted = wanted;
    this.context = context;
    this.done = done;
    this.deliver = deliver;
  }

  void begin() {
    context.step().cancellation().onCancel(withdrawal);
    reader.submit(this);
    if (context.step().cancellation().isCancelled()) {
      // Told before it stood in line.
      withdraw();
    }
  }

  /** Reads until it has enough or must wait for work. */
  void takeTurn() {
    while (true) {
      try {
        if (hasAll()) {
          end(Optional.empty());
          return;
        }
      } catch (RuntimeException e) {
        end(Optional.of(e));
        return;
      }
      Work work = new Work();
      queue.take(context, work);
      if (!work.cameAtOnce()) {
        return;
      }
    }
  }

  /** Reads what the work at hand has; whether the call is content then. */
  private boolean hasAll() {
    while (records.size() < wanted && reader.isAtWork()) {
      reader.next().ifPresent(records::add);
    }
    return records.size() == wanted || !records.isEmpty();
  }

  private void end(Optional<RuntimeException> failure) {
    context.step().cancellation().forget(withdrawal);
    reader.endTurn(this);
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

  /** While it has its turn it waits at the queue, if at all, and that ends it. */
  private void withdraw() {
    if (reader.withdraw(this)) {
      done.fail(
          TributaryException.derived(
              ErrorCode.CANCELLED,
              "ReaderRead operation was cancelled",
              context.step().cancellation().reason().orElse(null)));
    }
  }

  /**
   * The answer of the queue, which may come before {@link WorkQueue#take} returns. Then the call
   * continues in its own loop, lest a long line of empty files fill the stack. Guarded by its own
   * monitor.
   */
  private final class Work implements WorkQueue.Taker {
    private boolean came;
    private boolean waits;
    private boolean failed;

    /** Returns whether work came, and no failure; otherwise the thread that brings it continues. */
    synchronized boolean cameAtOnce() {
      waits = !came;
      return came && !failed;
    }

    @Override
    public void take(String name) {
      try {
        reader.startWork(name, reader.opener().open(context.device().files(), name));
      } catch (RuntimeException e) {
        fail(e);
        return;
      }
      if (arrive(false)) {
        takeTurn();
      }
    }

    @Override
    public void fail(RuntimeException failure) {
      arrive(true);
      end(Optional.of(failure));
    }

    private synchronized boolean arrive(boolean isFailure) {
      came = true;
      failed = isFailure;
      return waits;
    }
  }
}
