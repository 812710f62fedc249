package dev.tributary.train.session;

import dev.tributary.bundle.InterruptedSaves;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.event.EventWriter;
import dev.tributary.event.SessionStatus;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.GraphFiles;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.LooperThread;
import dev.tributary.train.saver.Saver;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the chief does beside training, in threads of its own: checkpoints, the graph's summaries,
 * the speed as a scalar {@code global_step/sec}, and notes of all in an event file. Guarded by its
 * own monitor as to what was measured and saved last.
 */
final class ChiefServices implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChiefServices.class);

  private final Session session;
  private final Optional<Saver> saver;
  private final Optional<Output> summary;
  private final Optional<Output> globalStep;
  private final Path prefix;
  private final EventWriter events;
  private long lastStep;
  private long savedStep = -1;
  private long measuredStep;
  private long measuredNanos;

  private ChiefServices(
      SupervisorOptions options,
      Path logdir,
      Session session,
      Optional<Saver> saver,
      Optional<Output> summary,
      Optional<Variable> globalStep) {
    this.session = session;
    this.saver = saver;
    this.summary = summary;
    this.globalStep = globalStep.map(Variable::value);
    this.prefix = logdir.resolve(options.checkpointBasename());
    this.events = EventWriter.create(logdir);
  }

  /** Writes the graph and starts the threads, for the coordinator to join. */
  static ChiefServices start(
      SupervisorOptions options,
      Path logdir,
      Session session,
      Optional<Saver> saver,
      Optional<Output> summary,
      Optional<Variable> globalStep,
      Coordinator coordinator) {
    ChiefServices services =
        new ChiefServices(options, logdir, session, saver, summary, globalStep);
    try {
      services.begin(logdir);
    } catch (RuntimeException e) {
      services.close();
      throw e;
    }
    if (saver.isPresent()) {
      LooperThread.loop(
          "supervisor-saver",
          coordinator,
          options.saveModelEvery().time().orElseThrow(),
          () -> services.saveInTurn(options.saveModelEvery().onlyIfCheap()));
    }
    if (summary.isPresent()) {
      LooperThread.loop(
          "supervisor-summaries", coordinator, options.saveSummariesEvery(), services::summarize);
    }
    if (globalStep.isPresent()) {
      LooperThread.loop(
          "supervisor-step-counter",
          coordinator,
          options.saveSummariesEvery(),
          services::measureSpeed);
    }
    return services;
  }

  private void begin(Path logdir) {
    InterruptedSaves.removeAll(logdir, prefix.getFileName().toString());
    GraphFiles.writeText(logdir.resolve("graph.pbtxt"), GraphDefs.toProto(session.graph()));
    long step = step();
    events.graph(GraphDefs.toProto(session.graph()).toByteArray(), step);
    events.sessionLog(SessionStatus.START, step);
    events.flush();
    synchronized (this) {
      measuredStep = step;
      measuredNanos = System.nanoTime();
    }
  }

  private void saveInTurn(boolean onlyIfCheap) {
    if (!onlyIfCheap || saver.orElseThrow().isCheap()) {
      saveOnce();
    }
  }

  /** Saves, unless the last checkpoint, written or restored, was of the same step. */
  private void saveOnce() {
    if (saver.isEmpty()) {
      return;
    }
    long step = step();
    synchronized (this) {
      if (globalStep.isPresent() && (savedStep == step || saver.get().isCurrent(prefix, step))) {
        return;
      }
      savedStep = step;
    }
    Path checkpoint =
        globalStep.isPresent()
            ? saver.get().save(session, prefix, step)
            : saver.get().save(session, prefix);
    events.checkpoint(checkpoint.toString(), step);
    events.flush();
  }

  /** A summary of what the training program has yet to initialise is left out. */
  private void summarize() {
    if (summary.isEmpty()) {
      return;
    }
    long step = step();
    try (StepResult result = session.runner().fetch(summary.get()).run()) {
      events.summary((byte[]) result.get(0).objects()[0], step);
      events.flush();
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.FAILED_PRECONDITION) {
        throw e;
      }
      LOG.debug("no summary at step {} yet: {}", step, e.getMessage());
    }
  }

  private void measureSpeed() {
    long step = step();
    long now = System.nanoTime();
    long steps;
    double seconds;
    synchronized (this) {
      steps = step - measuredStep;
      seconds = (now - measuredNanos) / 1e9;
      measuredStep = step;
      measuredNanos = now;
    }
    if (steps > 0) {
      events.scalar("global_step/sec", (float) (steps / seconds), step);
      events.flush();
    }
  }

  private long step() {
    if (globalStep.isEmpty()) {
      return 0;
    }
    try (StepResult result = session.runner().fetch(globalStep.get()).run()) {
      long step = result.get(0).getIndex(0);
      synchronized (this) {
        lastStep = step;
      }
      return step;
    }
  }

  /** The last summary and checkpoint, after a good end. */
  void finish() {
    summarize();
    saveOnce();
  }

  /** Where summaries of the training program go as well. */
  EventWriter events() {
    return events;
  }

  /** Writes the last events; to be called when the threads have ended. */
  @Override
  public synchronized void close() {
    events.sessionLog(SessionStatus.STOP, lastStep);
    events.close();
  }
}
