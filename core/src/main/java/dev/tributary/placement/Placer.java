package dev.tributary.placement;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.op.AttrValue;
import dev.tributary.plan.StepGraph;
import dev.tributary.plan.StepNode;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Places the nodes of step graphs on devices, by TensorFlow's rules. Immutable; safe for use by
 * many threads.
 *
 * <p>Nodes stay together if one takes a variable or another resource from the other, or if their
 * {@code _class} attributes name a common group ({@code loc:@name}). What the nodes of a group ask
 * for is merged; the devices that match are candidates, and the first in order is taken: by device
 * type (GPU before CPU), then those of the local task, then by name as a string, so that {@code
 * task:10} comes before {@code task:2}. A node without inputs that nothing else ties down goes
 * where its consumers are, if they agree.
 */
public final class Placer {
  /** Whether nodes of an op can run on devices of a type. */
  @FunctionalInterface
  public interface KernelCheck {
    boolean hasKernel(OpDeclaration op, String deviceType);
  }

  private static final String GROUP_PREFIX = "loc:@";
  private static final Map<String, Integer> TYPE_PRIORITY = Map.of("GPU", 210, "CPU", 70);

  private final List<DeviceSpec> devices;
  private final boolean soft;
  private final KernelCheck kernels;

  /**
   * @param devices the full names of all devices
   * @param localTask the task whose devices are preferred, such as {@code
   *     /job:worker/replica:0/task:0}
   * @param soft whether a device type or index that is not there gives way to one that is; jobs and
   *     tasks never do
   */
  public Placer(List<String> devices, String localTask, boolean soft, KernelCheck kernels) {
    DeviceSpec local = DeviceSpec.parse(localTask);
    this.devices =
        devices.stream()
            .map(DeviceSpec::parse)
            .sorted(
                Comparator.<DeviceSpec>comparingInt(
                        d -> -TYPE_PRIORITY.getOrDefault(d.type().orElse(""), -1))
                    .thenComparing(d -> !local.matches(d))
                    .thenComparing(DeviceSpec::toString))
            .toList();
    this.devices.forEach(Placer::requireComplete);
    this.soft = soft;
    this.kernels = kernels;
  }

  /**
   * Gives each node its device. If that cannot be done, INVALID_ARGUMENT tells which node wanted
   * what.
   */
  public void place(StepGraph graph) {
    place(graph, Map.of());
  }

  /**
   * Gives each node its device, where some have theirs already.
   *
   * @param fixedDevices full names of devices by the names of nodes which must stay where they were
   *     placed before, since they may have state there
   */
  public void place(StepGraph graph, Map<String, String> fixedDevices) {
    ColocationGroups groups = new ColocationGroups(graph.nodes(), soft);
    joinResources(graph, groups);
    joinClasses(graph, groups);
    Map<StepNode, List<StepNode>> consumers = graph.consumers();
    Map<ColocationGroup, DeviceSpec> chosen = new HashMap<>();
    List<StepNode> followers = new ArrayList<>();
    for (StepNode node : graph.nodes()) {
      ColocationGroup group = groups.of(node);
      if (isSourceOnly(node, group) && consumers.containsKey(node)) {
        followers.add(node);
      } else {
        node.place(chosen.computeIfAbsent(group, this::choose).toString());
      }
    }
    for (StepNode node : followers) {
      node.place(follow(node, groups, consumers.get(node)));
    }
  }

  private static void joinResources(StepGraph graph, ColocationGroups groups) {
    for (StepNode node : graph.nodes()) {
      for (int i = 0; i < node.inputs().size(); i++) {
        StepNode.Source input = node.inputs().get(i);
        if (node.isRefInput(i) || input.type() == DataType.RESOURCE) {
          groups.joinToResource(input.node(), node);
        }
      }
    }
  }

  private static void joinClasses(StepGraph graph, ColocationGroups groups) {
    Map<String, StepNode> named = new HashMap<>();
    graph.nodes().forEach(node -> named.put(node.name(), node));
    for (StepNode node : graph.nodes()) {
      for (String name : classNames(node)) {
        StepNode other = named.putIfAbsent(name, node);
        if (other != null) {
          groups.join(other, node);
        }
      }
    }
  }

  private static List<String> classNames(StepNode node) {
    List<String> names = new ArrayList<>();
    AttrValue classes = node.attributes().find("_class").orElse(null);
    if (classes == null) {
      return names;
    }
    if (!(classes instanceof AttrValue.ListValue)) {
      throw TributaryException.invalidArgument(
          "%s: attribute '_class' must be a list of strings, got %s", node, classes.typeName());
    }
    for (String name : node.attributes().strings("_class")) {
      if (name.startsWith(GROUP_PREFIX)) {
        names.add(name.substring(GROUP_PREFIX.length()));
      }
    }
    return names;
  }

  private static boolean isSourceOnly(StepNode node, ColocationGroup group) {
    return node.inputs().isEmpty()
        && node.controlInputs().isEmpty()
        && node.outputTypes().size() == 1
        && !new StepNode.Source(node, 0).isRef()
        && node.outputTypes().get(0) != DataType.RESOURCE
        && group.isFreeSingle();
  }

  private String follow(StepNode node, ColocationGroups groups, List<StepNode> consumers) {
    Set<String> places = new HashSet<>();
    consumers.forEach(c -> places.add(c.device()));
    String common = places.size() == 1 ? places.iterator().next() : "";
    boolean possible =
        !common.isEmpty()
            && kernels.hasKernel(node.declaration(), DeviceSpec.parse(common).type().orElse(""));
    return possible ? common : choose(groups.of(node)).toString();
  }

  private DeviceSpec choose(ColocationGroup group) {
    return firstMatch(group, group.wanted())
        .or(
            () ->
                soft ? firstMatch(group, ColocationGroup.taskOf(group.wanted())) : Optional.empty())
        .orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "cannot place %s: it wants device '%s', available are %s",
                    group, group.wanted(), devices));
  }

  private Optional<DeviceSpec> firstMatch(ColocationGroup group, DeviceSpec wanted) {
    return devices.stream()
        .filter(wanted::matches)
        .filter(d -> group.canRunOn(d, kernels))
        .findFirst();
  }

  private static void requireComplete(DeviceSpec device) {
    if (!device.isComplete()) {
      throw TributaryException.invalidArgument("'%s' is not the full name of a device", device);
    }
  }
}
