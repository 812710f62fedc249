package dev.tributary.internal.kernel;

import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.FileThreads;
import dev.tributary.internal.memory.Allocator;

/**
 * A device of kernels: its full name, its memory, its compute backend, the resources that outlive
 * steps, the files that its ops may touch and the threads they do so on, and how busy it is. One
 * object for each device of a task; shared by all sessions on it.
 */
public record Device(
    String name,
    Allocator allocator,
    Backend backend,
    ResourceContainers resources,
    FileRoot files,
    FileThreads fileThreads,
    DeviceActivity activity) {
  /** A device whose ops may touch any file, on threads that end when they are idle. */
  public Device(String name, Allocator allocator, Backend backend, ResourceContainers resources) {
    this(name, allocator, backend, resources, FileRoot.anywhere(), new FileThreads("tributary"));
  }

  /** A device on which nothing has run yet. */
  public Device(
      String name,
      Allocator allocator,
      Backend backend,
      ResourceContainers resources,
      FileRoot files,
      FileThreads fileThreads) {
    this(name, allocator, backend, resources, files, fileThreads, new DeviceActivity());
  }
}
