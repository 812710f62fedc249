package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.train.hook.SessionRunHook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An evaluation: its input, its length, and what is done with the result. Immutable, but hooks
 * belong to one run.
 *
 * @param steps the most batches; all if empty
 * @param name distinguishes the results of several evaluations of one model; may be empty
 * @param checkpoint the checkpoint to evaluate; the latest if empty
 * @param exporters export models after evaluations of {@link Estimators#trainAndEvaluate}
 * @param startDelay the time that the evaluator of a cluster waits at first
 * @param throttle the least time from one evaluation to the next during training
 */
public record EvalSpec(
    InputFunction input,
    OptionalLong steps,
    String name,
    List<SessionRunHook> hooks,
    Optional<Path> checkpoint,
    List<Exporter> exporters,
    Duration startDelay,
    Duration throttle) {
  public EvalSpec {
    TrainSpec.requirePositive("steps", steps);
    hooks = List.copyOf(hooks);
    exporters = List.copyOf(exporters);
    Set<String> names = new HashSet<>();
    for (Exporter exporter : exporters) {
      if (exporter.name().isEmpty() || !names.add(exporter.name())) {
        throw TributaryException.invalidArgument(
            "exporters need different names that are not empty, got %s",
            exporters.stream().map(Exporter::name).toList());
      }
    }
    if (startDelay.isNegative() || throttle.isNegative()) {
      throw TributaryException.invalidArgument(
          "the delays of an evaluation must be 0 or more, got %s and %s", startDelay, throttle);
    }
  }

  /** Returns an evaluation of 100 batches, as TensorFlow's default is. */
  public static EvalSpec of(InputFunction input) {
    return new EvalSpec(
        input,
        OptionalLong.of(100),
        "",
        List.of(),
        Optional.empty(),
        List.of(),
        Duration.ofSeconds(120),
        Duration.ofSeconds(600));
  }

  public EvalSpec withSteps(long most) {
    return with(OptionalLong.of(most), name, hooks, checkpoint, exporters);
  }

  /** Returns an evaluation of the whole input. */
  public EvalSpec withAllSteps() {
    return with(OptionalLong.empty(), name, hooks, checkpoint, exporters);
  }

  public EvalSpec withName(String newName) {
    return with(steps, newName, hooks, checkpoint, exporters);
  }

  public EvalSpec withHook(SessionRunHook hook) {
    List<SessionRunHook> more = new ArrayList<>(hooks);
    more.add(hook);
    return with(steps, name, more, checkpoint, exporters);
  }

  public EvalSpec withCheckpoint(Path prefix) {
    return with(steps, name, hooks, Optional.of(prefix), exporters);
  }

  public EvalSpec withExporters(Exporter... newExporters) {
    return with(steps, name, hooks, checkpoint, List.of(newExporters));
  }

  /** Sets the delays of evaluations during training. */
  public EvalSpec withDelays(Duration newStartDelay, Duration newThrottle) {
    return new EvalSpec(
        input, steps, name, hooks, checkpoint, exporters, newStartDelay, newThrottle);
  }

  private EvalSpec with(
      OptionalLong newSteps,
      String newName,
      List<SessionRunHook> newHooks,
      Optional<Path> newCheckpoint,
      List<Exporter> newExporters) {
    return new EvalSpec(
        input, newSteps, newName, newHooks, newCheckpoint, newExporters, startDelay, throttle);
  }
}
