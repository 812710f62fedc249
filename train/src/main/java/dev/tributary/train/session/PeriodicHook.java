package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.SummarySaverHook;
import dev.tributary.train.saver.Saver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A hook that a {@link Supervisor} runs in steps of its own, and the times at which it does.
 *
 * @param interval the time between two steps
 * @param firstAtOnce whether the first step is made when the session begins, or an interval later
 * @param lastAtEnd whether a last step is made at a good end
 * @param mayLackValues whether a step may fail because the program has not initialized yet what the
 *     hook fetches
 */
record PeriodicHook(
    SessionRunHook hook,
    Duration interval,
    boolean firstAtOnce,
    boolean lastAtEnd,
    boolean mayLackValues) {
  /** Returns the hooks that write a chief's files, in TensorFlow's order. */
  static List<PeriodicHook> ofChief(
      ChiefFiles files,
      Optional<Saver> saver,
      Optional<Output> summary,
      Optional<Variable> globalStep,
      SupervisorOptions options) {
    Duration summaries = options.saveSummariesEvery();
    List<PeriodicHook> all = new ArrayList<>();
    files
        .stepCounter(globalStep)
        .ifPresent(hook -> all.add(new PeriodicHook(hook, summaries, true, false, false)));
    // The supervisor marks the start of a session itself, before the program writes events.
    files
        .summarySaver(summary, globalStep)
        .map(SummarySaverHook::withoutStartMark)
        .ifPresent(hook -> all.add(new PeriodicHook(hook, summaries, true, true, true)));
    // It saves when the session begins, and again at the end.
    Duration saves = options.saveModelEvery().time().orElseThrow();
    files
        .checkpointSaver(saver, globalStep)
        .ifPresent(hook -> all.add(new PeriodicHook(hook, saves, false, false, false)));
    return all;
  }

  /** Returns whether a step of the hook that failed like this may succeed later. */
  boolean mayFailWith(TributaryException failure) {
    return mayLackValues && failure.code() == ErrorCode.FAILED_PRECONDITION;
  }

  /** Returns the name of the thread that runs the hook. */
  String threadName() {
    return "supervisor-" + hook.getClass().getSimpleName();
  }
}
