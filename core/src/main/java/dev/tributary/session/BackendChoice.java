package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.onednn.OneDnnBackend;
import dev.tributary.internal.kernel.onednn.OneDnnJars;
import dev.tributary.internal.kernel.plain.PlainBackend;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The implementation of the hot primitives. The first session of the process logs which one runs,
 * and why.
 */
public enum BackendChoice {
  /** oneDNN where its jars and natives are there, else Java. */
  AUTO,
  /** Plain Java. */
  JAVA,
  /** oneDNN; a session fails with FAILED_PRECONDITION where it does not load. */
  ONEDNN;

  private static final Logger LOG = LoggerFactory.getLogger(BackendChoice.class);
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();
  private static final String PLAIN = "kernels run in plain Java, ";
  private static final String ADVICE =
      "The artifact dev.tributary:tributary-natives brings all jars that fit, for linux-x86_64"
          + " (as a module: requires dev.tributary.natives)";

  /**
   * A backend that works on {@code parallel.threads()} threads. oneDNN has threads of its own, as
   * many for each thread that calls it.
   */
  public Backend backend(ParallelFor parallel) {
    if (this == JAVA) {
      logOnce(PLAIN + "as the session's options say", LOG::info);
      return new PlainBackend(parallel);
    }
    final Optional<String> obstacle = OneDnn.OBSTACLE;
    if (obstacle.isEmpty()) {
      logOnce("kernels run on oneDNN " + OneDnnBackend.version(), LOG::info);
      return new OneDnnBackend(parallel);
    }
    final String reason = "oneDNN does not load: " + obstacle.get();
    if (this == ONEDNN) {
      throw new TributaryException(ErrorCode.FAILED_PRECONDITION, reason);
    }
    // Some of its jars without the others are a mistake; none of them may be a decision.
    logOnce(PLAIN + "because " + reason, OneDnnJars.areWanted() ? LOG::warn : LOG::info);
    return new PlainBackend(parallel);
  }

  private static void logOnce(String line, Consumer<String> log) {
    if (LOGGED.add(line)) {
      log.accept(line);
    }
  }

  /** Tried once, when a session first wants it. */
  private static final class OneDnn {
    static final Optional<String> OBSTACLE = obstacle();

    private static Optional<String> obstacle() {
      final Optional<String> problem = OneDnnJars.problem();
      if (problem.isPresent()) {
        return Optional.of(problem.get() + ". " + ADVICE);
      }
      try {
        OneDnnBackend.load();
        return Optional.empty();
      } catch (LinkageError e) {
        return Optional.of(e.toString());
      }
    }
  }
}
