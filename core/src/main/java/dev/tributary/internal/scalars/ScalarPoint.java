package dev.tributary.internal.scalars;

/**
 * A number that a run noted down.
 *
 * @param wallTime seconds since 1970
 */
public record ScalarPoint(long step, double wallTime, double value) {}
