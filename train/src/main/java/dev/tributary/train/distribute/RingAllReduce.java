package dev.tributary.train.distribute;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts each value into as many pieces as there are devices. Each piece goes round all devices,
 * which add their own part to it, and then its sum goes round once more. So each device adds and
 * copies its share only. Values whose size is not known are summed on one device.
 */
public record RingAllReduce() implements CrossDeviceOps {
  @Override
  public List<Output> sum(Ops tf, List<Output> values, List<String> destinations) {
    Shape shape = values.get(0).shape();
    int devices = values.size();
    if (!shape.isFullyDefined() || devices < 2 || destinations.size() != devices) {
      return new ReductionToOneDevice().sum(tf, values, destinations);
    }
    List<List<Output>> pieces = values.stream().map(value -> cut(tf, value, devices)).toList();
    List<List<Output>> gathered = new ArrayList<>();
    destinations.forEach(device -> gathered.add(new ArrayList<>()));
    for (int piece = 0; piece < devices; piece++) {
      Output sum = pieces.get(piece).get(piece);
      for (int step = 1; step < devices; step++) {
        int device = (piece + step) % devices;
        sum = Devices.on(tf, destinations.get(device)).add(sum, pieces.get(device).get(piece));
      }
      for (int step = 0; step < devices; step++) {
        int device = (piece + devices - 1 + step) % devices;
        sum = Devices.on(tf, destinations.get(device)).identity(sum);
        gathered.get(device).add(sum);
      }
    }
    List<Output> sums = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      Ops there = Devices.on(tf, destinations.get(i));
      Output joined = there.array.concat(there.constant(0), gathered.get(i));
      sums.add(there.reshape(joined, shape.toArray()));
    }
    return sums;
  }

  private static List<Output> cut(Ops tf, Output value, int pieces) {
    Ops beside = tf.colocatedWith(value.operation());
    long elements = value.shape().elementCount();
    long[] sizes = new long[pieces];
    for (int i = 0; i < pieces; i++) {
      sizes[i] = elements / pieces + (i < elements % pieces ? 1 : 0);
    }
    return beside.array.splitV(beside.reshape(value, -1), 0, sizes);
  }
}
