package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds the values of each half of the devices on the first device of the half, then the two sums,
 * and copies the result back the same way.
 *
 * @param numPacks the number of pieces of which all gradients together are summed; 0 sums each
 *     gradient by itself
 */
public record HierarchicalCopyAllReduce(int numPacks) implements CrossDeviceOps {
  public HierarchicalCopyAllReduce {
    if (numPacks < 0) {
      throw TributaryException.invalidArgument(
          "HierarchicalCopyAllReduce: the number of packs must be 0 or more, got %d", numPacks);
    }
  }

  /** One pack, as in TensorFlow. */
  public HierarchicalCopyAllReduce() {
    this(1);
  }

  @Override
  public List<Output> sum(Ops tf, List<Output> values, List<String> destinations) {
    int half = (values.size() + 1) / 2;
    Output left = main(tf, values.subList(0, half)).addN(values.subList(0, half));
    if (half == values.size()) {
      return copies(tf, left, destinations);
    }
    List<Output> others = values.subList(half, values.size());
    Output right = main(tf, others).addN(others);
    Output leftTotal = main(tf, values.subList(0, half)).add(left, right);
    Output rightTotal = main(tf, others).identity(leftTotal);
    List<Output> sums = new ArrayList<>();
    for (String device : destinations) {
      boolean isRight = others.stream().anyMatch(value -> Devices.isOn(value, device));
      sums.add(Devices.on(tf, device).identity(isRight ? rightTotal : leftTotal));
    }
    return sums;
  }

  @Override
  public List<List<Output>> sums(Ops tf, List<List<Output>> batch, List<String> destinations) {
    return numPacks == 0
        ? CrossDeviceOps.super.sums(tf, batch, destinations)
        : new Packs(this, numPacks).sums(tf, batch, destinations);
  }

  private static Ops main(Ops tf, List<Output> half) {
    return tf.colocatedWith(half.get(0).operation());
  }

  private static List<Output> copies(Ops tf, Output sum, List<String> destinations) {
    return destinations.stream().map(device -> Devices.on(tf, device).identity(sum)).toList();
  }
}
