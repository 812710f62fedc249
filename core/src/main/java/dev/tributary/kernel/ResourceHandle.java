package dev.tributary.kernel;

/** What a resource tensor holds: where a resource is to be found. */
public record ResourceHandle(String device, String container, String name, String typeName) {}
