package dev.tributary.internal.function;

/**
 * The frame of a loop in the making.
 *
 * @param parallelIterations how many iterations may be in progress at once
 */
record FrameAttributes(String name, long parallelIterations) {}
