package dev.tributary.train.distribute;

import java.util.List;

/**
 * A replica on each of several devices of one process, and one copy of the variables that all of
 * them use. Gradients are summed where the variables are.
 */
public final class CentralStorageStrategy extends LocalStrategy {
  private static final String NAME = "CentralStorageStrategy";

  private CentralStorageStrategy(List<String> devices, String parameterDevice) {
    super(devices, Devices.distinct(NAME, List.of(parameterDevice)), new ReductionToOneDevice());
  }

  /** Returns a strategy with this many replicas on CPU devices, and variables on the first. */
  public static CentralStorageStrategy of(int replicas) {
    return of(Devices.cpus(NAME, replicas), "/device:CPU:0");
  }

  /** Returns a strategy with a replica on each of these devices. */
  public static CentralStorageStrategy of(List<String> computeDevices, String parameterDevice) {
    return new CentralStorageStrategy(Devices.distinct(NAME, computeDevices), parameterDevice);
  }
}
