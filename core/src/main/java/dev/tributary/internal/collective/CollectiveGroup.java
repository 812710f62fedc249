package dev.tributary.internal.collective;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of a group, in the order of their ranks: tasks by the text of their names, as in
 * TensorFlow, and the devices of a task by type and number. Immutable.
 */
public record CollectiveGroup(int key, List<CollectiveMember> members) {
  public CollectiveGroup {
    members = List.copyOf(members);
  }

  /** The group of these members, in whichever order they are given. */
  static CollectiveGroup of(int key, Collection<CollectiveMember> members) {
    return new CollectiveGroup(
        key,
        members.stream()
            .sorted(
                Comparator.comparing(CollectiveMember::task)
                    .thenComparing(member -> DeviceSpec.parse(member.device()).type().orElse(""))
                    .thenComparing(member -> DeviceSpec.parse(member.device()).index().orElse(0)))
            .toList());
  }

  int size() {
    return members.size();
  }

  /** Returns the rank of a device; INTERNAL if it is not a member. */
  public int rank(String device) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).device().equals(device)) {
        return i;
      }
    }
    throw TributaryException.internal(
        "device %s is not a member of collective group %d, which has %s",
        device, key, members.stream().map(CollectiveMember::device).toList());
  }

  /** Returns whether all members are known to be ours. */
  boolean isOurs() {
    return members.stream().allMatch(CollectiveMember::isOurs);
  }

  /** The ranks of the members of each task; tasks in the order of their first members. */
  List<List<Integer>> ranksByTask() {
    Map<String, List<Integer>> byTask = new LinkedHashMap<>();
    for (int i = 0; i < members.size(); i++) {
      byTask.computeIfAbsent(members.get(i).task(), task -> new ArrayList<>()).add(i);
    }
    return List.copyOf(byTask.values());
  }

  String describe(int rank) {
    return "rank " + rank + " (" + members.get(rank).device() + ")";
  }
}
