package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.GlobalStep;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decision whether training resumes from a checkpoint or starts from scratch, which it logs.
 *
 * @param startsOver whether to start from scratch until the saver has saved a checkpoint of its own
 */
record ResumedRun(Saver saver, Path folder, boolean startsOver) {
  private static final Logger LOG = LoggerFactory.getLogger(ResumedRun.class);

  /** Restores the variables of a session; false if they have to be initialized. */
  boolean isRestored(Session session) {
    if (startsOver && !saver.hasSaved()) {
      saver.startOver(folder);
      LOG.info("starting from scratch in {}, as requested{}", folder, beside());
      return false;
    }
    Optional<Path> restored = saver.restoreLatest(session, folder);
    restored.ifPresentOrElse(
        prefix -> logResumed(session, prefix),
        () -> LOG.info("no checkpoint in {}, starting from scratch", folder));
    return restored.isPresent();
  }

  private String beside() {
    return saver.lastCheckpoints().isEmpty()
        ? ""
        : "; its checkpoints are not restored: " + saver.lastCheckpoints();
  }

  private static void logResumed(Session session, Path prefix) {
    Optional<Output> step = GlobalStep.find(session.graph()).map(Variable::value);
    if (step.isEmpty()) {
      LOG.info("restored {}, resuming from there", prefix);
      return;
    }
    try (StepResult result = session.runner().fetch(step.get()).run()) {
      LOG.info("restored {}, resuming from step {}", prefix, result.get(0).getIndex(0));
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.FAILED_PRECONDITION) {
        throw e;
      }
      // A saver of some variables need not have restored this one.
      LOG.info("restored {}, which has no global step, resuming from there", prefix);
    }
  }
}
