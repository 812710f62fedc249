package dev.tributary.internal.kernel.resource;

import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.ResourceContainer;
import dev.tributary.internal.kernel.ResourceContainers;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The place of the resource that a node makes. Immutable.
 *
 * @param container the name of its container
 * @param name its name there
 * @param isPrivate whether only this node knows the name, so that the resource ends with it
 */
public record ResourceName(String container, String name, boolean isPrivate) {
  private static final AtomicLong NEXT_PRIVATE = new AtomicLong();

  /** The attribute {@code shared_name}, or else the name of the node. */
  public static ResourceName of(KernelNode node) {
    String shared = node.attributes().string("shared_name");
    return in(node, shared.isEmpty() ? node.name() : shared, false);
  }

  /** The attribute {@code shared_name}, or else a name that no other node has in any session. */
  public static ResourceName sharedOrPrivate(KernelNode node) {
    String shared = node.attributes().string("shared_name");
    return shared.isEmpty()
        ? in(node, "_" + NEXT_PRIVATE.getAndIncrement() + "_" + node.name(), true)
        : in(node, shared, false);
  }

  private static ResourceName in(KernelNode node, String name, boolean isPrivate) {
    String container = node.attributes().string("container");
    return new ResourceName(
        container.isEmpty() ? ResourceContainers.DEFAULT : container, name, isPrivate);
  }

  <R extends Resource> R findOrCreate(Device device, Class<R> type, Supplier<? extends R> make) {
    return on(device).findOrCreate(name, type, make);
  }

  void remove(Device device) {
    on(device).remove(name);
  }

  private ResourceContainer on(Device device) {
    return device.resources().container(container);
  }
}
