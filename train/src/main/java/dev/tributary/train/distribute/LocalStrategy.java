package dev.tributary.train.distribute;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.SessionOptions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A strategy whose replicas are devices of one process. */
abstract sealed class LocalStrategy extends Strategy
    permits OneDeviceStrategy, MirroredStrategy, CentralStorageStrategy {
  private final List<String> replicaDevices;
  private final List<String> copyDevices;
  private final CrossDeviceOps crossDeviceOps;

  LocalStrategy(
      List<String> replicaDevices, List<String> copyDevices, CrossDeviceOps crossDeviceOps) {
    this.replicaDevices = replicaDevices;
    this.copyDevices = copyDevices;
    this.crossDeviceOps = crossDeviceOps;
  }

  @Override
  final List<String> replicaDevices() {
    return replicaDevices;
  }

  @Override
  final List<String> copyDevices() {
    return copyDevices;
  }

  @Override
  final List<List<Output>> sums(Ops tf, List<List<Output>> batch, List<String> devices) {
    return replicaDevices.size() == 1 && devices.equals(replicaDevices)
        ? batch
        : crossDeviceOps.sums(tf, batch, devices);
  }

  /** Returns the options with as many CPU devices as the strategy uses, at least. */
  @Override
  public final SessionOptions configure(SessionOptions options) {
    int needed =
        Stream.concat(replicaDevices.stream(), copyDevices.stream())
            .map(DeviceSpec::parse)
            .filter(device -> device.type().equals(Optional.of("CPU")))
            .mapToInt(device -> device.index().orElse(0) + 1)
            .max()
            .orElse(0);
    int present = options.deviceCount().getOrDefault("CPU", 1);
    return needed > present ? options.withDeviceCount("CPU", needed) : options;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + replicaDevices;
  }
}
