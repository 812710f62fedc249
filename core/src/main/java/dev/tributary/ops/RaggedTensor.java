package dev.tributary.ops;

import dev.tributary.graph.Output;

/**
 * A ragged tensor in a graph: the values of all rows one after the other, and where each row begins
 * among them, with the end of the last row.
 */
public record RaggedTensor(Output values, Output rowSplits) {}
