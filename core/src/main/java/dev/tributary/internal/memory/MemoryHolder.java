package dev.tributary.internal.memory;

/**
 * Somebody who holds memory, for the list of those that an error names.
 *
 * @param kind in the plural: {@code variables}
 * @param name which one; empty if the kind has no single ones
 */
public record MemoryHolder(String kind, String name, long bytes) {}
