package dev.tributary.internal.function;

/**
 * The frame of a loop in the making.
 *
 * @param parallelIterations how many iterations may be in progress at once
 */
record Frame(String name, long parallelIterations) {}
