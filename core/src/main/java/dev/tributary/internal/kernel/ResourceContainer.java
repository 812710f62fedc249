package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.MemoryHolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Named resources of one container. Safe for use by many threads. */
public final class ResourceContainer {
  private final String name;
  private final Map<String, Resource> resources = new ConcurrentHashMap<>();

  ResourceContainer(String name) {
    this.name = name;
  }

  /** The resource of that name, made now if there is none. */
  public <R extends Resource> R findOrCreate(
      String resource, Class<R> type, Supplier<? extends R> make) {
    Resource found = resources.get(resource);
    return cast(
        resource,
        found != null ? found : resources.computeIfAbsent(resource, key -> make.get()),
        type);
  }

  /** Adds a resource under a new name. */
  public void add(String resource, Resource value) {
    if (resources.putIfAbsent(resource, value) != null) {
      throw new TributaryException(
          dev.tributary.error.ErrorCode.ALREADY_EXISTS,
          "container '" + name + "' already holds '" + resource + "'");
    }
  }

  public <R extends Resource> Optional<R> find(String resource, Class<R> type) {
    return Optional.ofNullable(resources.get(resource)).map(found -> cast(resource, found, type));
  }

  /** Returns the resource of that name; NOT_FOUND lists the names that exist. */
  public <R extends Resource> R lookup(String resource, Class<R> type) {
    return find(resource, type)
        .orElseThrow(
            () ->
                TributaryException.notFound(
                    "container '%s' has no %s '%s'; it holds %s",
                    name, type.getSimpleName(), resource, new TreeSet<>(resources.keySet())));
  }

  /** Those that hold memory. */
  void addHolders(List<MemoryHolder> holders) {
    resources.forEach(
        (resource, value) -> {
          if (value.heldBytes() > 0) {
            holders.add(new MemoryHolder(value.kind(), resource, value.heldBytes()));
          }
        });
  }

  /** Drops a resource, and returns whether there was one. */
  public boolean remove(String resource) {
    Resource removed = resources.remove(resource);
    if (removed != null) {
      removed.close();
    }
    return removed != null;
  }

  /** Drops all. */
  public void clear() {
    if (resources.isEmpty()) {
      return;
    }
    List<String> names = new ArrayList<>(resources.keySet());
    names.forEach(this::remove);
  }

  private <R extends Resource> R cast(String resource, Resource found, Class<R> type) {
    if (!type.isInstance(found)) {
      throw TributaryException.invalidArgument(
          "'%s' in container '%s' is a %s, not a %s",
          resource, name, found.getClass().getSimpleName(), type.getSimpleName());
    }
    return type.cast(found);
  }
}
