package dev.tributary.train.estimator;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Value;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.SingularMonitoredSession;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The predictions of an estimator for an input. Nothing is computed before the first one is asked
 * for, and then batch by batch. They can be iterated over once; a loop that may be left before the
 * end belongs into a try-with-resources statement. Confined to one thread.
 */
public final class Predictions implements Iterable<Prediction>, AutoCloseable {
  private final Estimator<?> estimator;
  private final PredictSpec spec;
  private Optional<Pass> pass = Optional.empty();
  private boolean closed;

  Predictions(Estimator<?> estimator, PredictSpec spec) {
    this.estimator = estimator;
    this.spec = spec;
  }

  /** Begins the predictions, which can be done once. */
  @Override
  public Iterator<Prediction> iterator() {
    if (closed || pass.isPresent()) {
      throw TributaryException.failedPrecondition(
          "predictions can be iterated over once; call predict again");
    }
    Pass begun = new Pass();
    pass = Optional.of(begun);
    return begun;
  }

  /** Ends the predictions; closing again is harmless. */
  @Override
  public void close() {
    closed = true;
    pass.ifPresent(Pass::close);
  }

  private final class Pass implements Iterator<Prediction>, AutoCloseable {
    private final Deque<Prediction> ready = new ArrayDeque<>();
    private Optional<ModelGraph> model = Optional.empty();
    private Optional<MonitoredSession> session = Optional.empty();
    private List<String> names = List.of();
    private SessionRunArgs step = SessionRunArgs.none();
    private boolean ended;

    @Override
    public boolean hasNext() {
      try {
        while (ready.isEmpty() && !ended) {
          if (session.isEmpty()) {
            open();
          }
          readBatch();
        }
        return !ready.isEmpty();
      } catch (RuntimeException | Error e) {
        close();
        throw e;
      }
    }

    @Override
    public Prediction next() {
      if (!hasNext()) {
        throw new NoSuchElementException("there are no more predictions");
      }
      return ready.remove();
    }

    private void open() {
      Optional<Path> checkpoint = spec.checkpoint().or(estimator::latestCheckpoint);
      ModelGraph built = ModelGraph.of(estimator, ModeKeys.PREDICT, spec.input());
      model = Optional.of(built);
      Map<String, Output> wanted = wanted(built.spec().predictions());
      names = List.copyOf(wanted.keySet());
      step = SessionRunArgs.none().withFetches(List.copyOf(wanted.values()));
      List<SessionRunHook> hooks = new ArrayList<>(spec.hooks());
      hooks.addAll(built.spec().predictionHooks());
      session =
          Optional.of(
              SingularMonitoredSession.open(
                  built.tf(),
                  () -> Session.local(built.graph(), estimator.config().session()),
                  built.trained(checkpoint),
                  Optional.empty(),
                  built.hooks(hooks)));
    }

    private Map<String, Output> wanted(Map<String, Output> all) {
      if (spec.keys().isEmpty()) {
        return all;
      }
      Map<String, Output> some = new LinkedHashMap<>(all);
      some.keySet().retainAll(spec.keys());
      if (some.size() < spec.keys().size()) {
        throw TributaryException.notFound(
            "predictions %s were asked for, but the model has %s", spec.keys(), all.keySet());
      }
      return some;
    }

    private void readBatch() {
      if (session.get().shouldStop()) {
        close();
        return;
      }
      try (StepResult result = session.get().run(step)) {
        List<Value> values = result.stream().map(Value::copyOf).toList();
        if (spec.batches()) {
          ready.add(prediction(values));
        } else {
          split(values);
        }
      } catch (TributaryException e) {
        if (e.code() != ErrorCode.OUT_OF_RANGE) {
          throw e;
        }
        close();
      }
    }

    private void split(List<Value> values) {
      long size = batchSize(values);
      for (long i = 0; i < size; i++) {
        long row = i;
        ready.add(prediction(values.stream().map(value -> value.row(row)).toList()));
      }
    }

    private long batchSize(List<Value> values) {
      long size = values.get(0).shape().rank() == 0 ? -1 : values.get(0).shape().size(0);
      for (int i = 0; i < values.size(); i++) {
        Value value = values.get(i);
        if (value.shape().rank() == 0 || value.shape().size(0) != size) {
          throw TributaryException.invalidArgument(
              "predictions must all have the batch as their first dimension, but '%s' has shape %s"
                  + " and '%s' %s; ask for whole batches with PredictSpec.withBatches",
              names.get(0), values.get(0).shape(), names.get(i), value.shape());
        }
      }
      return size;
    }

    private Prediction prediction(List<Value> values) {
      Map<String, Value> named = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        named.put(names.get(i), values.get(i));
      }
      return new Prediction(named);
    }

    @Override
    public void close() {
      ended = true;
      try {
        session.ifPresent(MonitoredSession::close);
      } finally {
        model.ifPresent(ModelGraph::close);
        session = Optional.empty();
        model = Optional.empty();
      }
    }
  }
}
