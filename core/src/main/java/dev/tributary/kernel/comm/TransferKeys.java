package dev.tributary.kernel.comm;

import dev.tributary.kernel.KernelContext;
import dev.tributary.op.Attributes;
import dev.tributary.rendezvous.RendezvousKey;

/** The keys under which a node sends or receives; they differ by loop and iteration only. */
final class TransferKeys {
  private final String prefix;
  private final String outsideLoops;

  TransferKeys(Attributes attributes) {
    prefix =
        RendezvousKey.prefix(
            attributes.string("send_device"),
            attributes.integer("send_device_incarnation"),
            attributes.string("recv_device"),
            attributes.string("tensor_name"));
    outsideLoops = key(0, 0);
    RendezvousKey.parse(outsideLoops); // Only to refuse a malformed key.
  }

  String of(KernelContext call) {
    return call.frameId() == 0 && call.iteration() == 0
        ? outsideLoops
        : key(call.frameId(), call.iteration());
  }

  private String key(long frameId, long iteration) {
    return prefix + Long.toUnsignedString(frameId) + ":" + iteration;
  }
}
