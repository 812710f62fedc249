package dev.tributary.internal.placement;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Operation;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.tensor.DataType;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Nodes that run on one device, and what is asked for it. Confined to one call of {@link
 * Placer#place}.
 */
final class ColocationGroup {
  private final StepNode leader;
  private final Set<OpDeclaration> ops = Collections.newSetFromMap(new IdentityHashMap<>(1));
  private int size = 1;
  private DeviceSpec wanted;

  /**
   * The requests of makers of resources in the group, and the devices of placed nodes; nothing
   * overrides it.
   */
  private DeviceSpec bound;

  private boolean holdsSharedState;

  private ColocationGroup(StepNode node, DeviceSpec wanted, DeviceSpec bound) {
    this.leader = node;
    this.ops.add(node.declaration());
    this.wanted = wanted;
    this.bound = bound;
    this.holdsSharedState = makesSharedState(node);
  }

  static ColocationGroup of(StepNode node) {
    DeviceSpec requested = node.requestedDevice();
    return new ColocationGroup(
        node, requested, makesResource(node) ? requested : DeviceSpec.empty());
  }

  /** The group of a node that is on a device already. */
  static ColocationGroup fixed(StepNode node, DeviceSpec device) {
    return new ColocationGroup(node, device, device);
  }

  DeviceSpec wanted() {
    return wanted;
  }

  /** Returns whether a node of the group makes state that sessions share. */
  boolean holdsSharedState() {
    return holdsSharedState;
  }

  int size() {
    return size;
  }

  boolean isSingle() {
    return size == 1;
  }

  boolean canRunOn(DeviceSpec device, Placer.KernelCheck kernels) {
    return ops.stream().allMatch(op -> kernels.hasKernel(op, device.type().orElse("")));
  }

  /**
   * Takes in the members of another group; false if what the two ask for cannot both be had, and
   * then nothing changed.
   */
  boolean absorb(ColocationGroup other, boolean soft) {
    Optional<DeviceSpec> both = merge(wanted, other.wanted, soft);
    Optional<DeviceSpec> bothBound = merge(bound, other.bound, soft);
    if (both.isEmpty() || bothBound.isEmpty()) {
      return false;
    }
    add(other, both.get(), bothBound.get());
    return true;
  }

  /**
   * Takes in a group whose own wishes give way, except where they are bound; false if even those
   * cannot be had.
   */
  boolean absorbOverriding(ColocationGroup other, boolean soft) {
    Optional<DeviceSpec> bothBound = merge(bound, other.bound, soft);
    Optional<DeviceSpec> both = merge(wanted, other.bound, soft);
    if (bothBound.isEmpty() || both.isEmpty()) {
      return false;
    }
    add(other, both.get(), bothBound.get());
    return true;
  }

  /** The part of a spec that names a task. */
  static DeviceSpec taskOf(DeviceSpec spec) {
    return new DeviceSpec(
        spec.job(), spec.replica(), spec.task(), Optional.empty(), OptionalInt.empty());
  }

  @Override
  public String toString() {
    return size == 1
        ? leader.toString()
        : leader + " and " + (size - 1) + " nodes colocated with it";
  }

  private void add(ColocationGroup other, DeviceSpec both, DeviceSpec bothBound) {
    ops.addAll(other.ops);
    size += other.size;
    wanted = both;
    bound = bothBound;
    holdsSharedState |= other.holdsSharedState;
  }

  private static Optional<DeviceSpec> merge(DeviceSpec a, DeviceSpec b, boolean soft) {
    boolean sameTask =
        agree(a.job(), b.job()) && agree(a.replica(), b.replica()) && agree(a.task(), b.task());
    boolean sameDevice = agree(a.type(), b.type()) && agree(a.index(), b.index());
    if (!sameTask || !(sameDevice || soft)) {
      return Optional.empty();
    }
    DeviceSpec task =
        new DeviceSpec(
            a.job().or(b::job),
            a.replica().isPresent() ? a.replica() : b.replica(),
            a.task().isPresent() ? a.task() : b.task(),
            Optional.empty(),
            OptionalInt.empty());
    return Optional.of(
        sameDevice
            ? new DeviceSpec(
                task.job(),
                task.replica(),
                task.task(),
                a.type().or(b::type),
                a.index().isPresent() ? a.index() : b.index())
            : task);
  }

  private static boolean agree(Optional<String> a, Optional<String> b) {
    return a.isEmpty() || b.isEmpty() || a.equals(b);
  }

  private static boolean agree(OptionalInt a, OptionalInt b) {
    return a.isEmpty() || b.isEmpty() || a.equals(b);
  }

  private static boolean makesSharedState(StepNode node) {
    OpDeclaration op = node.declaration();
    if (node.attributes().has(Operation.LOCAL_STATE)) {
      return false;
    }
    return op.has(OpFlag.RESOURCE_MAKER)
        || op.has(OpFlag.SHARED_BY_NAME) && !node.attributes().string("shared_name").isEmpty();
  }

  private static boolean makesResource(StepNode node) {
    return node.inputs().isEmpty()
        && node.outputTypes().size() == 1
        && (node.outputTypes().get(0) == DataType.RESOURCE || new StepNode.Source(node, 0).isRef());
  }
}
