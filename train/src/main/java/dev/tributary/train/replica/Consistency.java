package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How workers that train one model keep together. The stricter, the less a gradient is outdated
 * when it is applied, and the more workers wait for each other. Immutable.
 */
public sealed interface Consistency {
  /** What {@link #parse} takes, for people to read. */
  String WORDS = "sync, sync+backup(K), ssp(N) or async";

  /**
   * The gradients of all workers make each step together; none is stale.
   *
   * @param backups how many workers a step does not wait for; gradients that come too late are
   *     dropped
   */
  record Sync(int backups) implements Consistency {
    public Sync {
      if (backups < 0) {
        throw TributaryException.invalidArgument(
            "synchronous training with %d backup workers; wanted 0 or more", backups);
      }
    }

    /** How many gradients make a step. */
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
   * of the slowest. Workers that end or die leave the others free.
   *
   * @param bound how many steps more than the slowest a worker may have made when it begins one
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

  /** Each gradient makes a step of its own, whenever it comes. */
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

  /** How many gradients make a step of the model. */
  default int gradientsPerStep(int workers) {
    return 1;
  }

  /** As people write it: {@value #WORDS}. The text of each is parsed as that one. */
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
