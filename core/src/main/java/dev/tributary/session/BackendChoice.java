package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Backend;
import dev.tributary.kernel.ParallelFor;
import dev.tributary.kernel.onednn.OneDnnBackend;
import dev.tributary.kernel.plain.PlainBackend;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who computes the hot primitives. Which one runs, and why, is logged when the first session of the
 * process uses it.
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

  /**
   * A backend that works on {@code parallel.threads()} threads. oneDNN has threads of its own, as
   * many for each thread that calls it.
   */
  public Backend backend(ParallelFor parallel) {
    if (this == JAVA) {
      return plain(parallel, "as the session's options say");
    }
    final Optional<String> obstacle = OneDnn.OBSTACLE;
    if (obstacle.isEmpty()) {
      logOnce("kernels run on oneDNN " + OneDnnBackend.version());
      return new OneDnnBackend(parallel);
    }
    if (this == ONEDNN) {
      throw new TributaryException(
          ErrorCode.FAILED_PRECONDITION, "oneDNN does not load: " + obstacle.get());
    }
    return plain(parallel, "because oneDNN does not load: " + obstacle.get());
  }

  private static Backend plain(ParallelFor parallel, String reason) {
    logOnce("kernels run in plain Java, " + reason);
    return new PlainBackend(parallel);
  }

  private static void logOnce(String line) {
    if (LOGGED.add(line)) {
      LOG.info(line);
    }
  }

  /** Tried once, when a session first wants it. */
  private static final class OneDnn {
    static final Optional<String> OBSTACLE = obstacle();

    private static Optional<String> obstacle() {
      try {
        OneDnnBackend.load();
        return Optional.empty();
      } catch (LinkageError e) {
        return Optional.of(e.toString());
      }
    }
  }
}
