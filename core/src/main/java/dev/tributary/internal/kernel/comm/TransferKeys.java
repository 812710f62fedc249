package dev.tributary.internal.kernel.comm;

import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.op.Attributes;

/** The keys under which a node sends or receives; they differ by loop and iteration only. */
final class TransferKeys {
  private final RendezvousKey outsideLoops;

  /** INVALID_ARGUMENT if the attributes make no key. */
  TransferKeys(Attributes attributes) {
    RendezvousKey made =
        new RendezvousKey(
            attributes.string("send_device"),
            attributes.integer("send_device_incarnation"),
            attributes.string("recv_device"),
            attributes.string("tensor_name"),
            0,
            0);
    outsideLoops = RendezvousKey.parse(made.toString());
  }

  RendezvousKey of(KernelContext call) {
    return call.frameId() == 0 && call.iteration() == 0
        ? outsideLoops
        : outsideLoops.in(call.frameId(), call.iteration());
  }
}
