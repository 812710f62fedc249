package dev.tributary.kernel;

import dev.tributary.tensor.Allocator;

/**
 * Where kernels run: its full name, its memory, what computes the hot primitives, and the resources
 * that outlive steps. One object for each device of a task; shared by all sessions on it.
 */
public record Device(
    String name, Allocator allocator, Backend backend, ResourceContainers resources) {}
