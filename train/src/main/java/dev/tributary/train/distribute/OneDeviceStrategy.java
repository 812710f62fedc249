package dev.tributary.train.distribute;

import java.util.List;

/** One replica on one device, which has the variables, too. */
public final class OneDeviceStrategy extends LocalStrategy {
  private OneDeviceStrategy(List<String> device) {
    super(device, device, new ReductionToOneDevice());
  }

  /** Returns a strategy for a device such as {@code /device:CPU:0}. */
  public static OneDeviceStrategy of(String device) {
    return new OneDeviceStrategy(Devices.distinct("OneDeviceStrategy", List.of(device)));
  }
}
