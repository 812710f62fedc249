package dev.tributary.train.hook;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A hook that logs values each interval, in steps of this session, or at the end only. */
public final class LoggingTensorHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(LoggingTensorHook.class);

  private final Map<String, Output> tensors;
  private final Optional<Interval> interval;
  private final Optional<StepTimer> timer;
  private final Consumer<String> log;
  private long iteration;

  private LoggingTensorHook(
      Map<String, Output> tensors, Optional<Interval> interval, Consumer<String> log) {
    this.tensors = tensors;
    this.interval = interval;
    this.timer = interval.map(StepTimer::new);
    this.log = log;
  }

  /**
   * Logs values of the first step and of one step each interval.
   *
   * @param tensors the values to log, by the names to log them with
   */
  public static LoggingTensorHook each(Interval interval, Map<String, ? extends Operand> tensors) {
    return new LoggingTensorHook(outputs(tensors), Optional.of(interval), LOG::info);
  }

  /** Logs values once, at the good end of training. */
  public static LoggingTensorHook atEnd(Map<String, ? extends Operand> tensors) {
    return new LoggingTensorHook(outputs(tensors), Optional.empty(), LOG::info);
  }

  private static Map<String, Output> outputs(Map<String, ? extends Operand> tensors) {
    Map<String, Output> outputs = new LinkedHashMap<>();
    tensors.forEach((name, tensor) -> outputs.put(name, tensor.asOutput()));
    return outputs;
  }

  /** Returns a hook that passes its lines to a consumer instead of the log. */
  public LoggingTensorHook withLines(Consumer<String> lines) {
    return new LoggingTensorHook(tensors, interval, lines);
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return timer.isPresent() && timer.get().shouldTrigger(iteration)
        ? SessionRunArgs.none().withFetches(List.copyOf(tensors.values()))
        : SessionRunArgs.none();
  }

  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    if (!values.results().isEmpty()) {
      log(values.results());
      timer.get().triggered(iteration);
    }
    iteration++;
  }

  @Override
  public void end(Session session) {
    if (timer.isEmpty()) {
      List<Output> outputs = List.copyOf(tensors.values());
      try (StepResult values = session.runner().fetch(outputs).run()) {
        log(values);
      }
    }
  }

  private void log(List<Tensor> values) {
    List<String> parts = new ArrayList<>();
    int i = 0;
    for (String name : tensors.keySet()) {
      parts.add(name + " = " + TensorText.of(values.get(i++)));
    }
    log.accept(String.join(", ", parts));
  }
}
