package dev.tributary.train.testing;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.session.DeviceDescription;
import dev.tributary.session.PartialRun;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepRunner;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A session in which a task is lost at one step.
 *
 * @param stepsLeft the number of steps before that one, shared by the sessions of a test
 */
public record FlakySession(Session session, AtomicInteger stepsLeft) implements Session {
  @Override
  public Graph graph() {
    return session.graph();
  }

  @Override
  public List<DeviceDescription> devices() {
    return session.devices();
  }

  @Override
  public StepRunner runner() {
    if (stepsLeft.getAndDecrement() == 0) {
      throw new TributaryException(ErrorCode.UNAVAILABLE, "a task is lost");
    }
    return session.runner();
  }

  @Override
  public StepCallable prepare(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    return session.prepare(feeds, fetches, targets);
  }

  @Override
  public PartialRun partialRun(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    return session.partialRun(feeds, fetches, targets);
  }

  @Override
  public void close() {
    session.close();
  }
}
