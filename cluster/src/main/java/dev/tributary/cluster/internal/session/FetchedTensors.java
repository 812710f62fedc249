package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts what a master answers, once for each name and in any order, into the order of the fetches.
 */
final class FetchedTensors {
  private FetchedTensors() {}

  /** Takes over the tensors, also if it fails. */
  static List<Tensor> inOrder(List<String> fetches, List<NamedTensor> answered) {
    Map<String, Tensor> byName = new HashMap<>();
    answered.forEach(named -> byName.put(named.name(), named.tensor()));
    Set<String> wanted = new HashSet<>(fetches);
    if (byName.size() != answered.size() || !byName.keySet().equals(wanted)) {
      answered.forEach(named -> named.tensor().close());
      throw TributaryException.internal(
          "the master was asked for %s and answered %s",
          fetches, answered.stream().map(NamedTensor::name).toList());
    }
    List<Tensor> ordered = new ArrayList<>(fetches.size());
    for (String fetch : fetches) {
      Tensor tensor = byName.get(fetch);
      // What is fetched more than once needs a reference for each place in the result.
      ordered.add(wanted.remove(fetch) ? tensor : tensor.retain());
    }
    return ordered;
  }
}
