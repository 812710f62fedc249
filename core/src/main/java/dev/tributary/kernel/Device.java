package dev.tributary.kernel;

import dev.tributary.file.FileRoot;
import dev.tributary.tensor.Allocator;

/**
 * Where kernels run: its full name, its memory, what computes the hot primitives, the resources
 * that outlive steps, the files that its ops may touch, and how busy it is. One object for each
 * device of a task; shared by all sessions on it.
 */
public record Device(
    String name,
    Allocator allocator,
    Backend backend,
    ResourceContainers resources,
    FileRoot files,
    DeviceActivity activity) {
  /** A device whose ops may touch any file. */
  public Device(String name, Allocator allocator, Backend backend, ResourceContainers resources) {
    this(name, allocator, backend, resources, FileRoot.anywhere());
  }

  /** A device on which nothing has run yet. */
  public Device(
      String name,
      Allocator allocator,
      Backend backend,
      ResourceContainers resources,
      FileRoot files) {
    this(name, allocator, backend, resources, files, new DeviceActivity());
  }
}
