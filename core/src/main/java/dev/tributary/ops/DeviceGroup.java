package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.Optional;

/**
 * Devices that take part in collectives together. All of them name the group by the same key and
 * size; which devices they are shows when they meet. Their ranks follow the text of their tasks'
 * names, and in a task the numbers of the devices. Immutable.
 *
 * @param key any number that no other group has
 * @param size the number of devices
 * @param timeout the longest time of one collective; empty for that of the runtime, 5 minutes
 */
public record DeviceGroup(int key, int size, Optional<Duration> timeout) {
  public DeviceGroup {
    if (size < 1) {
      throw TributaryException.invalidArgument(
          "device group %d: the size must be 1 or more, got %d", key, size);
    }
    if (timeout.isPresent() && timeout.get().toMillis() < 1) {
      throw TributaryException.invalidArgument(
          "device group %d: the timeout must be 1 ms or more, got %s", key, timeout.get());
    }
  }

  public static DeviceGroup of(int key, int size) {
    return new DeviceGroup(key, size, Optional.empty());
  }

  public DeviceGroup withTimeout(Duration limit) {
    return new DeviceGroup(key, size, Optional.of(limit));
  }

  float timeoutSeconds() {
    return timeout.map(limit -> limit.toMillis() / 1000f).orElse(0f);
  }
}
