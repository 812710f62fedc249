package dev.tributary.executor;

/** A node that has all it waits for, in one iteration; dead if it only passes on that it will not run. */
record ReadyNode(NodeItem node, Iteration iteration, boolean isDead) {}
