package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The consistency of workers that train one model. The stricter it is, the less stale gradients are
 * when they are applied, and the more workers wait for each other. Immutable.
 */
public sealed interface Consistency {
  /** The texts that {@link #parse} accepts, for help and error messages. */
  String WORDS = "sync, sync+backup(K), ssp(N) or async";

  /**
   * The gradients of all workers make each step together; none is stale.
   *
   * @param backups the number of workers that a step does not wait for; their stale gradients are
   *     dropped
   */
  record Sync(int backups) implements Consistency {
    public Sync {
      if (backups < 0) {
        throw TributaryException.invalidArgument(
            "synchronous training with %d backup workers; wanted 0 or more", backups);
      }
    }

    @Override
    public int gradientsPerStep(int workers) {
      if (backups >= workers) {
        throw TributaryException.invalidArgument(
            "'%s' needs more workers than backups, got %d", this, workers);
      }
      return workers - backups;
    }

    @Override
    public String toString() {
      return backups == 0 ? "sync" : "sync+backup(" + backups + ")";
    }
  }

  /**
   * Stale synchronous parallel: each gradient makes a step of its own, but no worker gets far ahead
   * of the slowest. Workers that have ended or died are not waited for.
   *
   * @param bound the number of steps that a worker may be ahead of the slowest when it begins one
   */
  record StaleSynchronous(int bound) implements Consistency {
    public StaleSynchronous {
      if (bound < 0) {
        throw TributaryException.invalidArgument(
            "stale synchronous training with a bound of %d; wanted 0 or more", bound);
      }
    }

    @Override
    public String toString() {
      return "ssp(" + bound + ")";
    }
  }

  /** Each gradient makes a step of its own, and no worker waits. */
  record Async() implements Consistency {
    @Override
    public String toString() {
      return "async";
    }
  }

  static Consistency sync() {
    return new Sync(0);
  }

  static Consistency syncWithBackups(int backups) {
    return new Sync(backups);
  }

  static Consistency ssp(int bound) {
    return new StaleSynchronous(bound);
  }

  static Consistency async() {
    return new Async();
  }

  /** Returns the number of gradients that make a step of the model. */
  default int gradientsPerStep(int workers) {
    return 1;
  }

  /** Parses one of {@value #WORDS}, which are also the results of {@code toString}. */
  static Consistency parse(String text) {
    if (text.equals("sync")) {
      return sync();
    }
    if (text.equals("async")) {
      return async();
    }
    Matcher numbered = Pattern.compile("(sync\\+backup|ssp)\\((\\d{1,9})\\)").matcher(text);
    if (!numbered.matches()) {
      throw TributaryException.invalidArgument("consistency '%s'; wanted %s", text, WORDS);
    }
    int number = Integer.parseInt(numbered.group(2));
    return numbered.group(1).equals("ssp") ? ssp(number) : syncWithBackups(number);
  }
}
