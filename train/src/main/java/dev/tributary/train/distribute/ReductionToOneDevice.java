package dev.tributary.train.distribute;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.List;
import java.util.Optional;

/**
 * Copies all values to one device, adds them there, and copies the sum back: the default.
 *
 * @param reduceTo the device that adds; the first destination if it is empty
 */
public record ReductionToOneDevice(Optional<String> reduceTo) implements CrossDeviceOps {
  public ReductionToOneDevice() {
    this(Optional.empty());
  }

  /** Returns the same algorithm, with another device that adds. */
  public ReductionToOneDevice withReduceTo(String device) {
    return new ReductionToOneDevice(Optional.of(device));
  }

  @Override
  public List<Output> sum(Ops tf, List<Output> values, List<String> destinations) {
    Output sum = Devices.on(tf, reduceTo.orElse(destinations.get(0))).addN(values);
    return destinations.stream().map(device -> Devices.on(tf, device).identity(sum)).toList();
  }
}
