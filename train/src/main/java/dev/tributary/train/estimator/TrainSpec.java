package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.train.hook.CheckpointSaverListener;
import dev.tributary.train.hook.SessionRunHook;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A training: its input and its end. Without a number of steps it ends with the input. Immutable,
 * but hooks belong to one run.
 *
 * @param maxSteps the global step at which training ends; nothing is done if it has been reached
 * @param steps the number of steps to add to those of earlier runs
 * @param hooks hooks of all workers
 * @param savingListeners called around each checkpoint of the chief
 */
public record TrainSpec(
    InputFunction input,
    OptionalLong maxSteps,
    OptionalLong steps,
    List<SessionRunHook> hooks,
    List<CheckpointSaverListener> savingListeners) {
  public TrainSpec {
    requirePositive("maxSteps", maxSteps);
    requirePositive("steps", steps);
    if (maxSteps.isPresent() && steps.isPresent()) {
      throw TributaryException.invalidArgument(
          "training ends after %d steps or at step %d, not both: use withSteps or withMaxSteps",
          steps.getAsLong(), maxSteps.getAsLong());
    }
    hooks = List.copyOf(hooks);
    savingListeners = List.copyOf(savingListeners);
  }

  static void requirePositive(String name, OptionalLong value) {
    if (value.isPresent() && value.getAsLong() < 1) {
      throw TributaryException.invalidArgument(
          "%s must be 1 or more, got %d", name, value.getAsLong());
    }
  }

  /** Returns a training until the end of the input. */
  public static TrainSpec of(InputFunction input) {
    return new TrainSpec(input, OptionalLong.empty(), OptionalLong.empty(), List.of(), List.of());
  }

  public TrainSpec withMaxSteps(long globalStep) {
    return new TrainSpec(input, OptionalLong.of(globalStep), steps, hooks, savingListeners);
  }

  public TrainSpec withSteps(long more) {
    return new TrainSpec(input, maxSteps, OptionalLong.of(more), hooks, savingListeners);
  }

  public TrainSpec withHook(SessionRunHook hook) {
    List<SessionRunHook> more = new ArrayList<>(hooks);
    more.add(hook);
    return new TrainSpec(input, maxSteps, steps, more, savingListeners);
  }

  public TrainSpec withSavingListener(CheckpointSaverListener listener) {
    List<CheckpointSaverListener> more = new ArrayList<>(savingListeners);
    more.add(listener);
    return new TrainSpec(input, maxSteps, steps, hooks, more);
  }
}
