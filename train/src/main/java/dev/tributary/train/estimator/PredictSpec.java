package dev.tributary.train.estimator;

import dev.tributary.train.hook.SessionRunHook;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The input and the form of predictions. Immutable, but hooks belong to one run.
 *
 * @param keys the predictions to compute; all if empty
 * @param batches whether a prediction is that of a whole batch
 * @param checkpoint the checkpoint of the model; the latest if empty
 */
public record PredictSpec(
    InputFunction input,
    Set<String> keys,
    boolean batches,
    List<SessionRunHook> hooks,
    Optional<Path> checkpoint) {
  public PredictSpec {
    keys = Set.copyOf(keys);
    hooks = List.copyOf(hooks);
  }

  /** Returns predictions of single examples by the latest checkpoint. */
  public static PredictSpec of(InputFunction input) {
    return new PredictSpec(input, Set.of(), false, List.of(), Optional.empty());
  }

  public PredictSpec withKeys(String... names) {
    return new PredictSpec(input, Set.of(names), batches, hooks, checkpoint);
  }

  /** Returns predictions that are each those of a whole batch. */
  public PredictSpec withBatches() {
    return new PredictSpec(input, keys, true, hooks, checkpoint);
  }

  public PredictSpec withHook(SessionRunHook hook) {
    List<SessionRunHook> more = new ArrayList<>(hooks);
    more.add(hook);
    return new PredictSpec(input, keys, batches, more, checkpoint);
  }

  public PredictSpec withCheckpoint(Path prefix) {
    return new PredictSpec(input, keys, batches, hooks, Optional.of(prefix));
  }
}
