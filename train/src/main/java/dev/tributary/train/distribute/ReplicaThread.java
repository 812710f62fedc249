package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * A replica's part of the program, on a thread of its own so that it can pause in the middle. It
 * takes turns with the thread that resumes it: one of the two runs at a time, and the semaphores
 * between the turns make all that one has written visible to the other.
 */
final class ReplicaThread<R> {
  /** Ends the thread of a replica whose run has failed elsewhere. */
  private static final class Abandoned extends RuntimeException {
    private static final long serialVersionUID = 1;

    Abandoned() {
      super("the run of this replica has failed in another one", null, false, false);
    }
  }

  private final Semaphore turn = new Semaphore(0);
  private final Semaphore back = new Semaphore(0);
  private final Thread thread;
  private Optional<MergeRequest> request = Optional.empty();
  private Optional<Object> answer = Optional.empty();
  private Optional<R> result = Optional.empty();
  private Optional<Throwable> failure = Optional.empty();
  private boolean ended;
  private boolean abandoned;

  ReplicaThread(String name, Supplier<R> program) {
    thread = new Thread(() -> run(program), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run(Supplier<R> program) {
    turn.acquireUninterruptibly();
    try {
      if (!abandoned) {
        result = Optional.of(program.get());
      }
    } catch (Throwable e) {
      failure = Optional.of(e);
    }
    ended = true;
    back.release();
  }

  /** Lets the replica run until it ends or makes a merge call; throws what it has thrown. */
  void resume() {
    turn.release();
    back.acquireUninterruptibly();
    if (failure.isPresent()) {
      throw rethrown(failure.get());
    }
  }

  private static RuntimeException rethrown(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return (RuntimeException) e;
  }

  /** Called by the replica: pauses it until its request has an answer. */
  Object pause(MergeRequest merge) {
    request = Optional.of(merge);
    back.release();
    turn.acquireUninterruptibly();
    if (abandoned) {
      throw new Abandoned();
    }
    request = Optional.empty();
    return answer.orElseThrow(
        () -> TributaryException.internal("a merge call of a replica has no answer"));
  }

  boolean hasEnded() {
    return ended;
  }

  MergeRequest request() {
    return request.orElseThrow(() -> TributaryException.internal("the replica is not paused"));
  }

  void answer(Object value) {
    answer = Optional.of(value);
  }

  R result() {
    return result.orElseThrow(() -> TributaryException.internal("the replica has not ended"));
  }

  /** Ends the program wherever it pauses, if it has not ended, and waits for the thread. */
  void end() {
    while (!ended) {
      abandoned = true;
      turn.release();
      back.acquireUninterruptibly();
    }
    boolean interrupted = Thread.interrupted();
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
