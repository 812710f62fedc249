package dev.tributary.internal.kernel;

import dev.tributary.internal.memory.MemoryHolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The containers of a device, made when first named. The unnamed one is called {@value #DEFAULT},
 * as in TensorFlow.
 */
public final class ResourceContainers implements AutoCloseable {
  public static final String DEFAULT = "localhost";

  private final Map<String, ResourceContainer> containers = new ConcurrentHashMap<>();

  public ResourceContainer container(String name) {
    return containers.computeIfAbsent(name.isEmpty() ? DEFAULT : name, ResourceContainer::new);
  }

  /** Drops everything in one container. */
  public void clear(String name) {
    ResourceContainer container = containers.remove(name.isEmpty() ? DEFAULT : name);
    if (container != null) {
      container.clear();
    }
  }

  /** The resources that hold memory, in all containers. */
  public List<MemoryHolder> holders() {
    List<MemoryHolder> holders = new ArrayList<>();
    containers.values().forEach(container -> container.addHolders(holders));
    return holders;
  }

  @Override
  public void close() {
    containers.keySet().forEach(this::clear);
  }
}
