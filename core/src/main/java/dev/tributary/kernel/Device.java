package dev.tributary.kernel;

import dev.tributary.file.FileRoot;
import dev.tributary.tensor.Allocator;

/**
 * Where kernels run: its full name, its memory, what computes the hot primitives, the resources
 * that outlive steps, and the files that its ops may touch. One object for each device of a task;
 * shared by all sessions on it.
 */
public record Device(
    String name,
    Allocator allocator,
    Backend backend,
    ResourceContainers resources,
    FileRoot files) {
  /** A device whose ops may touch any file. */
  public Device(String name, Allocator allocator, Backend backend, ResourceContainers resources) {
    this(name, allocator, backend, resources, FileRoot.anywhere());
  }
}
