package dev.tributary.internal.step;

import dev.tributary.internal.executor.StatefulKernels;
import dev.tributary.internal.kernel.Device;

/**
 * A device as one session sees it: under the name it has in the session's cluster, with the
 * resources the session shares or has alone, and with the kernels that keep state between steps.
 *
 * @param incarnation which life of the device this is; other than 0 on a cluster
 */
public record SessionDevice(Device device, long incarnation, StatefulKernels kernels) {
  public SessionDevice(Device device, long incarnation) {
    this(device, incarnation, new StatefulKernels());
  }
}
