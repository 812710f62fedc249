package dev.tributary.train.distribute;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Sums of many values in few pieces: the values of a replica are joined to one vector, which is cut
 * into equal pieces. The last piece takes the rest. Values whose size is not known, and a batch of
 * several element types, are summed one by one.
 */
record Packs(CrossDeviceOps algorithm, int count) {
  List<List<Output>> sums(Ops tf, List<List<Output>> batch, List<String> destinations) {
    long elements = elements(batch);
    if (elements < count) {
      return batch.stream().map(values -> algorithm.sum(tf, values, destinations)).toList();
    }
    List<Long> sizes = new ArrayList<>(Collections.nCopies(count, elements / count));
    sizes.set(count - 1, elements / count + elements % count);
    List<List<Output>> pieces = new ArrayList<>();
    for (int replica = 0; replica < batch.get(0).size(); replica++) {
      pieces.add(packed(tf, batch, replica, sizes));
    }
    List<List<Output>> sums = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int piece = i;
      List<Output> values = pieces.stream().map(all -> all.get(piece)).toList();
      sums.add(algorithm.sum(tf, values, destinations));
    }
    return unpacked(tf, batch, sums, destinations);
  }

  /** Returns the elements of one replica, or -1 if the batch cannot be packed. */
  private static long elements(List<List<Output>> batch) {
    long elements = 0;
    for (List<Output> values : batch) {
      DataType type = values.get(0).type();
      if (!values.get(0).shape().isFullyDefined() || type != batch.get(0).get(0).type()) {
        return -1;
      }
      elements += values.get(0).shape().elementCount();
    }
    return elements;
  }

  private static List<Output> packed(
      Ops tf, List<List<Output>> batch, int replica, List<Long> sizes) {
    Ops beside = tf.colocatedWith(batch.get(0).get(replica).operation());
    List<Output> flat =
        batch.stream().map(values -> beside.reshape(values.get(replica), -1)).toList();
    return cut(beside, beside.array.concat(beside.constant(0), flat), sizes);
  }

  private static List<List<Output>> unpacked(
      Ops tf, List<List<Output>> batch, List<List<Output>> sums, List<String> destinations) {
    List<Long> sizes = batch.stream().map(values -> values.get(0).shape().elementCount()).toList();
    List<List<Output>> result = new ArrayList<>();
    batch.forEach(values -> result.add(new ArrayList<>()));
    for (int d = 0; d < destinations.size(); d++) {
      int destination = d;
      Ops there = Devices.on(tf, destinations.get(d));
      List<Output> pieces = sums.stream().map(all -> all.get(destination)).toList();
      List<Output> flat = cut(there, there.array.concat(there.constant(0), pieces), sizes);
      for (int i = 0; i < flat.size(); i++) {
        result.get(i).add(there.reshape(flat.get(i), batch.get(i).get(0).shape().toArray()));
      }
    }
    return result;
  }

  private static List<Output> cut(Ops tf, Output vector, List<Long> sizes) {
    return tf.array.splitV(vector, 0, sizes.stream().mapToLong(Long::longValue).toArray());
  }
}
