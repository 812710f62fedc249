package dev.tributary.train.monitored;

import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs some values whenever its timer says so. */
public final class LoggingTensorHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(LoggingTensorHook.class);

  private final Map<String, Output> tensors;
  private final StepTimer timer;
  private long step;

  /**
   * @param tensors what to log, by the name to give it
   */
  public LoggingTensorHook(Map<String, Output> tensors, StepTimer timer) {
    this.tensors = new LinkedHashMap<>(tensors);
    this.timer = timer;
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return timer.shouldTrigger(step)
        ? new SessionRunArgs(List.copyOf(tensors.values()), Map.of())
        : SessionRunArgs.none();
  }

  @Override
  public void afterRun(SessionRunContext context, List<Tensor> values) {
    if (!values.isEmpty()) {
      List<String> lines = new ArrayList<>();
      int i = 0;
      for (String name : tensors.keySet()) {
        lines.add(name + " = " + values.get(i++));
      }
      LOG.info("{}", String.join(", ", lines));
      timer.triggered(step);
    }
    step++;
  }
}
