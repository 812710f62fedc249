package dev.tributary.internal.kernel.comm;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.SendingKernel;
import dev.tributary.internal.rendezvous.RendezvousKey;
import java.util.Optional;

/** Hands its input to the step's rendezvous; a dead value if there is no input. */
public final class SendKernel implements SendingKernel {
  private final TransferKeys keys;
  private final String recvDevice;
  private final boolean isForClient;

  public SendKernel(KernelNode node) {
    keys = new TransferKeys(node.attributes());
    recvDevice = node.attributes().string("recv_device");
    isForClient = node.attributes().bool("client_terminated");
  }

  @Override
  public void compute(KernelContext context) {
    if (isForClient && context.frameId() != 0) {
      throw TributaryException.invalidArgument(
          "what is fetched is inside a loop, where it has many values or none: take what leaves"
              + " the loop instead");
    }
    RendezvousKey key = keys.of(context);
    context
        .step()
        .rendezvous()
        .send(key, context.hasInput(0) ? Optional.of(context.takeInput(0)) : Optional.empty());
  }

  @Override
  public String recvDevice() {
    return recvDevice;
  }
}
