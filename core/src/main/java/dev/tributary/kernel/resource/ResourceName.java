package dev.tributary.kernel.resource;

import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.KernelNode;
import dev.tributary.kernel.Resource;
import dev.tributary.kernel.ResourceContainer;
import dev.tributary.kernel.ResourceContainers;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Where the resource that a node makes is kept: its container and its name there. Immutable. */
public record ResourceName(String container, String name) {
  private static final AtomicLong NEXT_PRIVATE = new AtomicLong();

  /** The attribute {@code shared_name}, or else the name of the node. */
  public static ResourceName of(KernelNode node) {
    String shared = node.attributes().string("shared_name");
    return in(node, shared.isEmpty() ? node.name() : shared);
  }

  /** The attribute {@code shared_name}, or else a name that no other node has in any session. */
  public static ResourceName sharedOrPrivate(KernelNode node) {
    String shared = node.attributes().string("shared_name");
    return in(
        node, shared.isEmpty() ? "_" + NEXT_PRIVATE.getAndIncrement() + "_" + node.name() : shared);
  }

  private static ResourceName in(KernelNode node, String name) {
    String container = node.attributes().string("container");
    return new ResourceName(container.isEmpty() ? ResourceContainers.DEFAULT : container, name);
  }

  <R extends Resource> R findOrCreate(
      KernelContext context, Class<R> type, Supplier<? extends R> make) {
    return in(context).findOrCreate(name, type, make);
  }

  <R extends Resource> R lookup(KernelContext context, Class<R> type) {
    return in(context).lookup(name, type);
  }

  private ResourceContainer in(KernelContext context) {
    return context.device().resources().container(container);
  }
}
