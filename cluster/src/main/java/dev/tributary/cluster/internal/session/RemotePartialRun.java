package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RequestIds;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.session.PartialRun;
import dev.tributary.session.RunOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A partial run at a master, which checks what may come when. */
record RemotePartialRun(RemoteSteps steps, String handle) implements PartialRun {
  static RemotePartialRun begin(RemoteSteps steps, StepSignature signature, Duration limit) {
    PartialRunSetupRequest request =
        new PartialRunSetupRequest(
            steps.sessionHandle(),
            RemoteSteps.names(signature.feeds()),
            RemoteSteps.names(signature.fetches()),
            signature.targets().stream().map(Operation::name).toList(),
            RequestIds.next());
    return new RemotePartialRun(
        steps, steps.call(limit, options -> steps.master().partialRunSetup(request, options)));
  }

  @Override
  public StepResult run(Map<Output, Tensor> feeds, List<Output> fetches) {
    List<Output> fed = List.copyOf(feeds.keySet());
    return steps
        .start(
            new StepSignature(fed, fetches, List.of()),
            fed.stream().map(feeds::get).toList(),
            RunOptions.defaults(),
            handle)
        .await();
  }
}
