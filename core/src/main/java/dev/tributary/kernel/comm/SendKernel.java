package dev.tributary.kernel.comm;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.KernelNode;
import java.util.Optional;

/** Hands its input to the step's rendezvous; a dead value if there is no input. */
public final class SendKernel implements Kernel {
  private final TransferKeys keys;
  private final boolean isForClient;

  public SendKernel(KernelNode node) {
    keys = new TransferKeys(node.attributes());
    isForClient = node.attributes().bool("client_terminated");
  }

  @Override
  public void compute(KernelContext context) {
    if (isForClient && context.frameId() != 0) {
      throw TributaryException.invalidArgument(
          "what is fetched is inside a loop, where it has many values or none: take what leaves"
              + " the loop instead");
    }
    context
        .step()
        .rendezvous()
        .send(
            keys.of(context),
            context.hasInput(0) ? Optional.of(context.input(0).retain()) : Optional.empty());
  }
}
