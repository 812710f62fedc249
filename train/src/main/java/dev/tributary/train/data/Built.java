package dev.tributary.train.data;

import dev.tributary.graph.Output;

/**
 * A dataset as a node of a graph.
 *
 * @param variant the tensor that stands for the dataset
 */
record Built<E>(Output variant, ElementSpec<E> spec) {}
