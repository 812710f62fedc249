package dev.tributary.kernel;

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

  @Override
  public void close() {
    containers.keySet().forEach(this::clear);
  }
}
