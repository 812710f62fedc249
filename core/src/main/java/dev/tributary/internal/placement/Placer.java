package dev.tributary.internal.placement;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.StatePlacement;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places the nodes of step graphs on devices, by TensorFlow's rules. Immutable; safe for use by
 * many threads.
 *
 * <p>Nodes stay together if one takes a variable or another resource from the other, or if their
 * {@code _class} attributes name a common group ({@code loc:@name}). What the nodes of a group ask
 * for is merged; the devices that match are candidates, and the first in order is taken: by device
 * type (GPU before CPU), then those of the local task, then by name as a string, so that {@code
 * task:10} comes before {@code task:2}. Of the nodes that nothing ties to others, one that only
 * looks at shapes, or passes its input on, goes to its input if it may; one without inputs goes
 * where its consumers are, if they agree. With {@link StatePlacement#FIRST_TASK}, a group with
 * shared state takes the first device in the order of tasks instead, that of job {@code ps} first.
 */
public final class Placer {
  /** Decides if nodes of an op can run on devices of a type. */
  @FunctionalInterface
  public interface KernelCheck {
    boolean hasKernel(OpDeclaration op, String deviceType);
  }

  private static final String CLASSES = "_class";
  private static final String GROUP_PREFIX = "loc:@";

  private final Candidates devices;
  private final boolean soft;

  /**
   * @param devices the full names of all devices
   * @param localTask the task whose devices are preferred, such as {@code
   *     /job:worker/replica:0/task:0}
   * @param soft whether a device type or index that is not there gives way to one that is; jobs and
   *     tasks never do
   */
  public Placer(List<String> devices, String localTask, boolean soft, KernelCheck kernels) {
    this(devices, localTask, soft, kernels, StatePlacement.MASTER_TASK);
  }

  /** The same with a choice for shared state that asks for no task. */
  public Placer(
      List<String> devices,
      String localTask,
      boolean soft,
      KernelCheck kernels,
      StatePlacement statePlacement) {
    this.devices =
        new Candidates(devices, DeviceSpec.parse(localTask), soft, kernels, statePlacement);
    this.soft = soft;
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
    ColocationGroups groups =
        new ColocationGroups(graph.nodes(), Candidates.parsed(fixedDevices), soft);
    joinResources(graph, groups);
    joinClasses(graph, groups);
    Map<StepNode, List<StepNode>> consumers = consumersOfSources(graph);
    Map<ColocationGroup, String> chosen = new IdentityHashMap<>();
    List<StepNode> sources = new ArrayList<>();
    for (StepNode node : graph.nodes()) {
      ColocationGroup group = groups.of(node);
      if (consumers.containsKey(node) && isSource(node, group)) {
        sources.add(node);
      } else {
        node.place(
            followed(node, group).orElseGet(() -> chosen.computeIfAbsent(group, devices::first)));
      }
    }
    for (StepNode node : sources) {
      ColocationGroup group = groups.of(node);
      node.place(
          common(consumers.get(node))
              .filter(device -> devices.allow(group, device))
              .orElseGet(() -> devices.first(group)));
    }
  }

  /**
   * Gives each node of a whole graph its device, and returns the devices by the nodes' names.
   *
   * @param earlier where nodes were placed before; those with state stay there
   */
  public Map<String, String> placeWhole(StepGraph whole, Map<String, String> earlier) {
    Map<String, String> fixed = new HashMap<>();
    for (StepNode node : whole.nodes()) {
      String device = earlier.get(node.name());
      if (device != null && node.declaration().def().isStateful()) {
        fixed.put(node.name(), device);
      }
    }
    place(whole, fixed);
    Map<String, String> placed = new HashMap<>();
    whole.nodes().forEach(node -> placed.put(node.name(), node.device()));
    return placed;
  }

  /**
   * The nodes that consume something of each node that has no inputs itself. Of large graphs few
   * are such nodes, so this is not {@link StepGraph#consumers}.
   */
  private static Map<StepNode, List<StepNode>> consumersOfSources(StepGraph graph) {
    Map<StepNode, List<StepNode>> consumers = new IdentityHashMap<>();
    for (StepNode node : graph.nodes()) {
      node.inputs().forEach(input -> addConsumer(input.node(), node, consumers));
      node.controlInputs().forEach(control -> addConsumer(control, node, consumers));
    }
    return consumers;
  }

  private static void addConsumer(
      StepNode source, StepNode node, Map<StepNode, List<StepNode>> consumers) {
    if (source.inputs().isEmpty()) {
      consumers.computeIfAbsent(source, key -> new ArrayList<>()).add(node);
    }
  }

  private static void joinResources(StepGraph graph, ColocationGroups groups) {
    for (StepNode node : graph.nodes()) {
      for (int i = 0; i < node.inputs().size(); i++) {
        StepNode.Source input = node.inputs().get(i);
        boolean isUser =
            input.type() == DataType.RESOURCE && !node.declaration().has(OpFlag.PASSES_RESOURCES);
        if (node.isRefInput(i) || isUser) {
          groups.joinToResource(input.node(), node);
        }
      }
    }
  }

  private static void joinClasses(StepGraph graph, ColocationGroups groups) {
    List<StepNode> members = new ArrayList<>();
    for (StepNode node : graph.nodes()) {
      if (node.attributes().has(CLASSES)) {
        members.add(node);
      }
    }
    if (members.isEmpty()) {
      return;
    }
    Map<String, StepNode> named = new HashMap<>();
    graph.nodes().forEach(node -> named.put(node.name(), node));
    for (StepNode node : members) {
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
    AttrValue classes = node.attributes().find(CLASSES).orElseThrow();
    if (!(classes instanceof AttrValue.ListValue)) {
      throw TributaryException.invalidArgument(
          "%s: attribute '_class' must be a list of strings, got %s", node, classes.typeName());
    }
    for (String name : node.attributes().strings(CLASSES)) {
      if (name.startsWith(GROUP_PREFIX)) {
        names.add(name.substring(GROUP_PREFIX.length()));
      }
    }
    return names;
  }

  private static boolean isSource(StepNode node, ColocationGroup group) {
    return node.inputs().isEmpty()
        && node.controlInputs().isEmpty()
        && node.outputTypes().size() == 1
        && !node.isRefOutput(0)
        && node.outputTypes().get(0) != DataType.RESOURCE
        && group.isSingle();
  }

  /** The device of the input that a node should stay with, unless it may not run there. */
  private Optional<String> followed(StepNode node, ColocationGroup group) {
    boolean passes =
        node.declaration().has(OpFlag.PASSES_SINGLE_INPUT)
            && node.inputs().size() == 1
            && group.wanted().isEmpty();
    boolean follows = group.isSingle() && (passes || node.declaration().has(OpFlag.METADATA));
    return follows
        ? Optional.of(node.inputs().get(0).node().device())
            .filter(device -> devices.allow(group, device))
        : Optional.empty();
  }

  private static Optional<String> common(List<StepNode> consumers) {
    String device = consumers.get(0).device();
    return consumers.stream().allMatch(consumer -> consumer.device().equals(device))
        ? Optional.of(device)
        : Optional.empty();
  }
}
