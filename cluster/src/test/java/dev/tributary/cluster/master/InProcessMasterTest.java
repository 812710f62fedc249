package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.MasterInterface;

/** A master that is called without a wire. */
class InProcessMasterTest extends MasterContract {
  @Override
  MasterInterface connect(Master local) {
    return local;
  }
}
