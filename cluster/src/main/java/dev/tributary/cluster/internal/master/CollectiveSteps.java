package dev.tributary.cluster.internal.master;

import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The collectives of a kind of step.
 *
 * @param graphKey the same at all masters that run the step together; 0 if it has no collectives
 * @param isWhole whether all members of all its groups are in the step, so that no other master
 *     runs a part of it
 */
record CollectiveSteps(long graphKey, boolean isWhole) {
  static final CollectiveSteps NONE = new CollectiveSteps(0, true);

  /** TensorFlow's key of a graph whose collectives have their keys in inputs. */
  private static final long EMPTY_KEY = 0x8774aa605c729c72L;

  private static final long MIX = 0x9e3779b97f4a7800L;

  /** The collectives of a step of which every node has its device. */
  static CollectiveSteps of(StepGraph step) {
    Set<Integer> instances = new TreeSet<>();
    Map<Integer, Set<String>> devices = new HashMap<>();
    Map<Integer, Integer> sizes = new HashMap<>();
    boolean known = true;
    boolean any = false;
    for (StepNode node : step.nodes()) {
      if (node.declaration().has(OpFlag.COLLECTIVE)) {
        any = true;
        if (node.attributes().has("instance_key")) {
          instances.add(node.attributes().int32("instance_key"));
        }
        Optional<Integer> group = key(node, "group_key", 1);
        Optional<Integer> size = key(node, "group_size", 0);
        known &= group.isPresent() && size.isPresent();
        group.ifPresent(
            g -> {
              devices.computeIfAbsent(g, k -> new HashSet<>()).add(node.device());
              size.ifPresent(s -> sizes.merge(g, s, Math::max));
            });
      }
    }
    if (!any) {
      return NONE;
    }
    boolean isWhole =
        known
            && sizes.entrySet().stream()
                .allMatch(e -> devices.get(e.getKey()).size() >= e.getValue());
    return new CollectiveSteps(graphKey(instances), isWhole);
  }

  /** A key in an attribute or, if it is constant, in one of three inputs behind the value. */
  private static Optional<Integer> key(StepNode node, String name, int place) {
    if (node.attributes().has(name)) {
      return Optional.of(node.attributes().int32(name));
    }
    boolean hasValue = node.declaration().def().inputs().get(0).name().equals("input");
    StepNode source = node.inputs().get(place + (hasValue ? 1 : 0)).node();
    if (!source.declaration().has(OpFlag.CONSTANT)) {
      return Optional.empty();
    }
    Tensor value = source.attributes().tensor("value");
    return value.elementCount() == 1 ? Optional.of(value.intValue()) : Optional.empty();
  }

  private static long graphKey(Set<Integer> instances) {
    long key = EMPTY_KEY;
    for (long instance : instances) {
      key = instance ^ (key + MIX + (instance << 10) + (instance >> 4));
    }
    return key;
  }
}
