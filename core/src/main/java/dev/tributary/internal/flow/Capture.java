package dev.tributary.internal.flow;

import dev.tributary.graph.Output;

/** A value from outside of a context, and what stands for it inside. */
public record Capture(Output outside, Output inside) {}
