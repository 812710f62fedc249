package dev.tributary.train.monitored;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.QueueRunners;
import dev.tributary.train.session.SessionManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session that runs hooks around each step and survives the loss of tasks: a step that fails with
 * ABORTED or UNAVAILABLE is run again in a new session, in which the model was made ready anew.
 *
 * <pre>{@code
 * SessionManager sessions = new SessionManager(setup);
 * try (MonitoredSession session =
 *     MonitoredSession.open(() -> sessions.prepareSession(opener, checkpoints), hooks)) {
 *   while (!session.shouldStop()) {
 *     session.run(Map.of(), List.of(), List.of(train)).close();
 *   }
 * }
 * }</pre>
 *
 * Confined to one thread.
 */
public final class MonitoredSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MonitoredSession.class);
  private static final Duration STOP_GRACE = Duration.ofSeconds(20);

  private final Supplier<Session> creator;
  private final List<SessionRunHook> hooks;
  private Optional<Session> session = Optional.empty();
  private Coordinator coordinator = new Coordinator(Set.of());
  private boolean stopRequested;
  private boolean failed;

  private MonitoredSession(Supplier<Session> creator, List<SessionRunHook> hooks) {
    this.creator = creator;
    this.hooks = List.copyOf(hooks);
  }

  /**
   * @param creator opens a session in which the model is ready, such as {@link
   *     SessionManager#prepareSession} or {@link SessionManager#waitForSession}
   */
  public static MonitoredSession open(Supplier<Session> creator, List<SessionRunHook> hooks) {
    MonitoredSession monitored = new MonitoredSession(creator, hooks);
    monitored.session();
    return monitored;
  }

  /** Whether a hook or a thread has asked to stop. */
  public boolean shouldStop() {
    return stopRequested || (session.isPresent() && coordinator.shouldStop());
  }

  /** Runs a step with what the hooks add; gives the values of {@code fetches} only. */
  public StepResult run(Map<Output, Tensor> feeds, List<Output> fetches, List<Operation> targets) {
    if (shouldStop()) {
      throw TributaryException.failedPrecondition("a step was begun after the request to stop");
    }
    while (true) {
      try {
        return step(session(), feeds, fetches, targets);
      } catch (TributaryException e) {
        failed = true;
        if (!SessionManager.isRecoverable(e)) {
          throw e;
        }
        LOG.warn("the step is run again in a new session: {}", e.getMessage());
        abandon();
        failed = false;
      }
    }
  }

  private StepResult step(
      Session open, Map<Output, Tensor> feeds, List<Output> fetches, List<Operation> targets) {
    SessionRunContext context = new SessionRunContext(open);
    Map<Output, Tensor> allFeeds = new LinkedHashMap<>(feeds);
    List<Output> allFetches = new ArrayList<>(fetches);
    List<SessionRunArgs> added = new ArrayList<>();
    for (SessionRunHook hook : hooks) {
      SessionRunArgs more = hook.beforeRun(context);
      added.add(more);
      more.feeds().forEach((output, value) -> addFeed(allFeeds, output, value));
      allFetches.addAll(more.fetches());
    }
    try (StepResult all = open.run(allFeeds, allFetches, targets)) {
      int next = fetches.size();
      for (int i = 0; i < hooks.size(); i++) {
        int end = next + added.get(i).fetches().size();
        hooks.get(i).afterRun(context, all.subList(next, end));
        next = end;
      }
      stopRequested |= context.stopRequested();
      List<Tensor> asked = all.subList(0, fetches.size()).stream().map(Tensor::retain).toList();
      return new StepResult(asked, all.trace());
    }
  }

  private static void addFeed(Map<Output, Tensor> feeds, Output output, Tensor value) {
    if (feeds.putIfAbsent(output, value) != null) {
      throw TributaryException.invalidArgument("%s is fed twice, by the step or its hooks", output);
    }
  }

  /** The open session, or a new one. */
  private Session session() {
    while (session.isEmpty()) {
      Session created = creator.get();
      session = Optional.of(created);
      coordinator = new Coordinator(Set.of());
      try {
        QueueRunners.startQueueRunners(created, coordinator);
        hooks.forEach(hook -> hook.afterCreateSession(created, coordinator));
      } catch (TributaryException e) {
        abandon();
        if (!SessionManager.isRecoverable(e)) {
          failed = true;
          throw e;
        }
      }
    }
    return session.get();
  }

  private void abandon() {
    coordinator.requestStop();
    session.ifPresent(MonitoredSession::closeQuietly);
    session = Optional.empty();
    joinQuietly();
  }

  private void joinQuietly() {
    try {
      coordinator.joinIgnoringLiveThreads(List.of(), STOP_GRACE);
    } catch (RuntimeException e) {
      LOG.debug("threads beside a session that failed", e);
    }
  }

  private static void closeQuietly(Session session) {
    try {
      session.close();
    } catch (TributaryException e) {
      LOG.debug("a session that is given up did not close", e);
    }
  }

  /** Lets hooks finish if no step has failed, stops the threads, and closes the session. */
  @Override
  public void close() {
    try {
      if (!failed && session.isPresent()) {
        Session open = session.get();
        hooks.forEach(hook -> hook.end(open));
      }
    } finally {
      abandon();
    }
  }
}
