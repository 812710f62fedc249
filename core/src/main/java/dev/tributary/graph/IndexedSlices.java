package dev.tributary.graph;

/** Rows of a gradient that is zero elsewhere: {@code dense[indices[i], ...] += values[i, ...]}. */
public record IndexedSlices(Output values, Output indices, Output denseShape)
    implements GradientValue {}
