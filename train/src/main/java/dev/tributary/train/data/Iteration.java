package dev.tributary.train.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.pipeline.PipelineReport;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;

/**
 * One pass over a dataset in a loop of Java. It begins with the loop and ends behind the last
 * element, or with {@link #close}: a loop that may be left earlier belongs into a
 * try-with-resources statement. An element that fails throws, and the next call gets the one behind
 * it. Confined to one thread at a time.
 *
 * <pre>{@code
 * try (Iteration batches = train.iterate()) {
 *   for (Elements batch : batches) {
 *     use(batch.get("image"));
 *   }
 * }
 * }</pre>
 */
public final class Iteration implements Iterable<Elements>, AutoCloseable {
  private final Dataset<?> dataset;
  private final List<AutoCloseable> open = new ArrayList<>();
  private boolean begun;
  private boolean ended;
  private Supplier<PipelineStats> report = () -> new PipelineStats(List.of());

  Iteration(Dataset<?> dataset) {
    this.dataset = dataset;
  }

  /** Begins the pass, which can be done once. */
  @Override
  public Iterator<Elements> iterator() {
    if (begun) {
      throw TributaryException.failedPrecondition(
          "%s: this pass was begun already: call iterate() again for another one", dataset);
    }
    begun = true;
    try {
      return new Pass();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Returns what the stages of the pipeline have done up to now. Behind the last element that is
   * what they had done at its end; before the first one there are none.
   */
  public PipelineStats stats() {
    return report.get();
  }

  /** Ends the pass and closes its files and threads; closing again is harmless. */
  @Override
  public void close() {
    begun = true;
    ended = true;
    report = last(report);
    for (int i = open.size() - 1; i >= 0; i--) {
      try {
        open.get(i).close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw TributaryException.internal("%s: %s", dataset, e);
      }
    }
    open.clear();
  }

  /** Keeps what is reported in the end, for those who ask later. */
  private static Supplier<PipelineStats> last(Supplier<PipelineStats> report) {
    try {
      PipelineStats stats = report.get();
      return () -> stats;
    } catch (TributaryException e) {
      return () -> {
        throw e;
      };
    }
  }

  private final class Pass implements Iterator<Elements> {
    private final List<String> names;
    private final StepCallable step;
    private StepResult current;
    private StepResult next;

    Pass() {
      Ops tf = Ops.create();
      Graph graph = keep(tf.graph());
      DatasetIterator<?> iterator = dataset.initializableIterator(tf);
      names = iterator.spec().names();
      Operation components = iterator.operation();
      Output model = iterator.report();
      Session session = keep(Session.local(graph));
      session.run(iterator.initializer());
      step = keep(session.prepare(List.of(), components.outputs(), List.of()));
      report = () -> stats(session, model);
      keep(this::drop);
    }

    private static PipelineStats stats(Session session, Output model) {
      try (StepResult result = session.runner().fetch(model).run()) {
        byte[] message = (byte[]) result.get(0).objects()[0];
        return PipelineStats.of(PipelineReport.parse(message));
      }
    }

    private <T extends AutoCloseable> T keep(T resource) {
      open.add(resource);
      return resource;
    }

    private void drop() {
      if (current != null) {
        current.close();
        current = null;
      }
      if (next != null) {
        next.close();
        next = null;
      }
    }

    @Override
    public boolean hasNext() {
      if (ended) {
        return false;
      }
      if (next == null) {
        next = asked();
      }
      if (next == null) {
        close();
      }
      return next != null;
    }

    private StepResult asked() {
      try {
        return step.run();
      } catch (TributaryException e) {
        if (e.code() == ErrorCode.OUT_OF_RANGE) {
          return null;
        }
        throw e;
      }
    }

    @Override
    public Elements next() {
      if (!hasNext()) {
        throw new NoSuchElementException(dataset + " has no more elements");
      }
      if (current != null) {
        current.close();
      }
      current = next;
      next = null;
      return new Elements(names, current);
    }
  }
}
