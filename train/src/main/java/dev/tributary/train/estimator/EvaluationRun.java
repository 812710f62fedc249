package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.event.SummaryBuilder;
import dev.tributary.ops.Ops;
import dev.tributary.record.EventWriter;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import dev.tributary.train.hook.FinalOpsHook;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.SessionRunValues;
import dev.tributary.train.model.Metric;
import dev.tributary.train.model.Metrics;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.SingularMonitoredSession;
import dev.tributary.train.variable.VariableScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** One evaluation of an estimator, in this process. Confined to one thread. */
final class EvaluationRun {
  private final Estimator<?> estimator;
  private final EvalSpec spec;
  private final SortedMap<String, Value> metrics = new TreeMap<>();
  private long batches;

  EvaluationRun(Estimator<?> estimator, EvalSpec spec) {
    this.estimator = estimator;
    this.spec = spec;
  }

  Evaluation run() {
    Optional<Path> checkpoint = spec.checkpoint().or(estimator::latestCheckpoint);
    try (ModelGraph model = ModelGraph.of(estimator, ModeKeys.EVAL, spec.input())) {
      evaluate(model, checkpoint);
    }
    if (batches == 0) {
      throw TributaryException.invalidArgument(
          "the evaluation's input has no batch; check the files and the batch size of its dataset");
    }
    long step = metrics.get(EstimatorSpec.GLOBAL_STEP).longValue();
    Evaluation result = new Evaluation(step, metrics, checkpoint);
    write(result);
    return result;
  }

  private void evaluate(ModelGraph model, Optional<Path> checkpoint) {
    Ops tf = model.tf();
    SortedMap<String, Output> values = new TreeMap<>();
    List<Operation> updates = new ArrayList<>();
    SortedMap<String, Metric> all = new TreeMap<>(model.spec().evalMetrics());
    VariableScope scope = VariableScope.of(tf.withSubScope("evaluation"));
    all.put(EstimatorSpec.LOSS, Metrics.of(scope).mean(model.spec().loss().orElseThrow()));
    all.forEach(
        (name, metric) -> {
          values.put(name, metric.value());
          updates.add(metric.update().operation());
        });
    values.put(EstimatorSpec.GLOBAL_STEP, model.globalStep().value());
    Operation update = tf.group(updates);
    List<SessionRunHook> hooks = new ArrayList<>(spec.hooks());
    hooks.addAll(model.spec().evaluationHooks());
    hooks.add(new BatchCount());
    hooks.add(new FinalOpsHook(List.copyOf(values.values()), got -> take(values, got)));
    try (MonitoredSession session =
        SingularMonitoredSession.open(
            tf,
            () -> Session.local(model.graph(), estimator.config().session()),
            model.trained(checkpoint),
            Optional.empty(),
            model.hooks(hooks))) {
      session.repeatUntilStop(s -> s.run(update));
    }
  }

  private void take(SortedMap<String, Output> names, List<Tensor> values) {
    int i = 0;
    for (String name : names.keySet()) {
      metrics.put(name, Value.copyOf(values.get(i++)));
    }
  }

  /** Counts batches, and stops behind the last one that is wanted. */
  private final class BatchCount implements SessionRunHook {
    @Override
    public void afterRun(SessionRunContext context, SessionRunValues values) {
      batches++;
      if (spec.steps().isPresent() && batches >= spec.steps().getAsLong()) {
        context.requestStop();
      }
    }
  }

  private void write(Evaluation result) {
    SummaryBuilder summary = new SummaryBuilder();
    result
        .metrics()
        .forEach(
            (name, value) -> {
              if (!name.equals(EstimatorSpec.GLOBAL_STEP)) {
                add(summary, name, value);
              }
            });
    try (EventWriter events = EventWriter.create(estimator.evalDir(spec.name()))) {
      events.summary(summary.toBytes(), result.globalStep());
      result
          .checkpoint()
          .ifPresent(
              path -> {
                try (Tensor text = Tensor.scalar(path.toString())) {
                  SummaryBuilder note = new SummaryBuilder();
                  note.tensor("checkpoint_path", text, new byte[0]);
                  events.summary(note.toBytes(), result.globalStep());
                }
              });
    }
  }

  private static void add(SummaryBuilder summary, String name, Value value) {
    boolean isNumber = value.elementCount() == 1 && value.shape().rank() == 0;
    if (isNumber && value.type() != DataType.STRING && value.type() != DataType.BOOL) {
      summary.scalar(name, (float) Evaluation.number(value));
      return;
    }
    try (Tensor tensor = value.toTensor()) {
      summary.tensor(name, tensor, new byte[0]);
    }
  }
}
