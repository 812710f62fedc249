package dev.tributary.train.distribute;

import dev.tributary.session.SessionOptions;
import java.util.List;

/**
 * A replica on each of several devices of one process, each with its own copy of the variables. The
 * gradients of all replicas are summed in each step, so that the copies stay equal.
 */
public final class MirroredStrategy extends LocalStrategy {
  private static final String NAME = "MirroredStrategy";

  private MirroredStrategy(List<String> devices, CrossDeviceOps crossDeviceOps) {
    super(devices, devices, crossDeviceOps);
  }

  /** Returns a strategy with this many replicas, on the first CPU devices of the process. */
  public static MirroredStrategy of(int replicas) {
    return of(Devices.cpus(NAME, replicas));
  }

  /** Returns a strategy with a replica on each of these devices. */
  public static MirroredStrategy of(List<String> devices) {
    return new MirroredStrategy(Devices.distinct(NAME, devices), new ReductionToOneDevice());
  }

  /** Returns a strategy with a replica on each CPU device that a session with these options has. */
  public static MirroredStrategy ofAll(SessionOptions options) {
    return of(options.deviceCount().getOrDefault("CPU", 1));
  }

  /** Returns the same strategy with another algorithm to sum gradients. */
  public MirroredStrategy withCrossDeviceOps(CrossDeviceOps crossDeviceOps) {
    return new MirroredStrategy(replicaDevices(), crossDeviceOps);
  }
}
